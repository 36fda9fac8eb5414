! Operators of a class that hold operators of the same class: what they do, and what goes with them, calls itself through tables.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type, abstract :: operator_t
  contains
    procedure(apply_i), deferred :: apply
  end type
  abstract interface
    function apply_i(self, v) result(w)
      import
      class(operator_t), intent(in) :: self
      real(dp), intent(in) :: v(:)
      real(dp) :: w(size(v))
    end function
  end interface
  type, extends(operator_t) :: diagonal
    real(dp), allocatable :: d(:)
  contains
    procedure :: apply => apply_diagonal
  end type
  type, extends(operator_t) :: shifted
    class(operator_t), allocatable :: inner
    real(dp) :: s
  contains
    procedure :: apply => apply_shifted
  end type
contains
  function apply_diagonal(self, v) result(w)
    class(diagonal), intent(in) :: self
    real(dp), intent(in) :: v(:)
    real(dp) :: w(size(v))
    w = self%d * v * v
  end function
  function apply_shifted(self, v) result(w)
    class(shifted), intent(in) :: self
    real(dp), intent(in) :: v(:)
    real(dp) :: w(size(v))
    w = self%inner%apply(v) + self%s * v
  end function
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(diagonal) :: a
    type(shifted) :: once, twice
    a%d = x * x(1)
    once%s = x(2)
    allocate(once%inner, source=a)
    twice%s = sin(x(3))
    allocate(twice%inner, source=once)
    y = sum(once%apply(x) * twice%apply(x(n:1:-1)))
  end function
end module
include 'requests.inc'
