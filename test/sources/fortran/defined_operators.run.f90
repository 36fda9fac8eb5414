! Defined operators and generic names on a derived type.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  type :: vec
    real(c_double) :: u, v
  end type
  interface operator(+)
    module procedure plus
  end interface
  interface operator(-)
    module procedure minus
  end interface
  interface operator(*)
    module procedure times
  end interface
  interface operator(.dot.)
    module procedure inner
  end interface
  interface magnitude
    module procedure mag
  end interface
contains
  pure function plus(a, b) result(c)
    type(vec), intent(in) :: a, b
    type(vec) :: c
    c%u = a%u + b%u; c%v = a%v + b%v
  end function
  pure function minus(a, b) result(c)
    type(vec), intent(in) :: a, b
    type(vec) :: c
    c = vec(a%u - b%u, a%v - b%v)
  end function
  elemental function times(s, b) result(c)
    real(c_double), intent(in) :: s
    type(vec), intent(in) :: b
    type(vec) :: c
    c = vec(s * b%u, s * b%v)
  end function
  pure function inner(a, b) result(s)
    type(vec), intent(in) :: a, b
    real(c_double) :: s
    s = a%u * b%u + a%v * b%v
  end function
  function mag(a) result(s)
    type(vec), intent(in) :: a
    real(c_double) :: s
    s = hypot(a%u, a%v)
  end function

  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(vec) :: a, b, c
    a = vec(x(1), x(2))
    b = vec(x(3), x(4))
    c = a + 2d0 * b
    c = c - a
    y = (a .dot. b) + (c .dot. c) + magnitude(c)
  end function
end module

include 'requests.inc'
