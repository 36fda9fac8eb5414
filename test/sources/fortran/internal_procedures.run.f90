! Internal procedures that share the variables of their host, one of them passed as an argument.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function quad(h, a, b, m) result(s)
    interface
      function h(t) result(r)
        import c_double
        real(c_double), intent(in) :: t
        real(c_double) :: r
      end function
    end interface
    real(c_double), intent(in) :: a, b
    integer, intent(in) :: m
    real(c_double) :: s, w
    integer :: i
    w = (b - a) / m
    s = 0
    do i = 1, m
      s = s + w * h(a + (i - 0.5d0) * w)
    end do
  end function

  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(c_double) :: s, acc
    acc = 0
    s = x(1)
    call step(x(2))
    call step(x(3))
    y = acc + quad(g, 0d0, 1d0, 8)
  contains
    subroutine step(v)
      real(c_double), intent(in) :: v
      s = s * v + sin(v)
      acc = acc + s
    end subroutine
    function g(t) result(r)
      real(c_double), intent(in) :: t
      real(c_double) :: r
      r = exp(-t * s) * x(1)
    end function
  end function
end module

include 'requests.inc'
