! A workspace of a module that is allocated when it is first needed and stays, in calls that are not inlined.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module m
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  real(dp), allocatable :: work(:)
end module
module program_under_test
  use m
  implicit none
contains
  subroutine smooth(x, n, y)
    integer, intent(in) :: n
    real(dp), intent(in) :: x(n)
    real(dp), intent(out) :: y(n)
    integer :: i
    if (.not. allocated(work)) allocate(work(n))
    do i = 1, n
      work(i) = x(i)**2
    end do
    y(1) = work(1)
    do i = 2, n
      y(i) = work(i) * work(i-1)
    end do
  end subroutine
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y, t(n), u(n)
    !dir$ noinline
    call smooth(x, n, t)
    !dir$ noinline
    call smooth(t, n, u)
    y = sum(u)
  end function
end module

include 'requests.inc'
