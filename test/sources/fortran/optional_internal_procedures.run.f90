! An internal procedure that is handed on where it may be left out, so that the called procedure asks whether it is there.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module ode
  use, intrinsic :: iso_c_binding
  implicit none
contains
  subroutine integrate(n, y, monitor)
    integer, intent(in) :: n
    real(c_double), intent(inout) :: y(:)
    interface
      subroutine monitor(t, y)
        import
        real(c_double), intent(in) :: t, y(:)
      end subroutine
    end interface
    optional :: monitor
    integer :: j
    do j = 1, n
      y = y + 0.1d0*sin(y)
      if (present(monitor)) call monitor(0.1d0*j, y)
    end do
  end subroutine
  ! Calls itself, so that it is not part of its caller.
  recursive subroutine halve(depth, y, monitor)
    integer, intent(in) :: depth
    real(c_double), intent(inout) :: y(:)
    interface
      subroutine monitor(t, y)
        import
        real(c_double), intent(in) :: t, y(:)
      end subroutine
    end interface
    optional :: monitor
    y = y + 0.2d0*cos(y)
    if (present(monitor)) call monitor(1d0/depth, y)
    if (depth > 2) then
      call halve(depth - 1, y, monitor)
      call halve(depth - 2, y, monitor)
    end if
  end subroutine
end module
module program_under_test
  use ode
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(c_double) :: s(2), peak, area
    peak = -huge(peak); area = 0
    s = x(3:4)
    call integrate(10, s, watch)
    y = sum(s) + peak + area
    call integrate(5, s)
    y = y + s(1)*s(2)
    call halve(4, s, watch)
    y = y + area*sum(s)
  contains
    subroutine watch(t, z)
      real(c_double), intent(in) :: t, z(:)
      peak = max(peak, z(1))
      area = area + t*z(2)**2
    end subroutine
  end function
end module
include 'requests.inc'
