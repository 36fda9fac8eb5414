! A filter that keeps its weights and its scratch array from call to call.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
contains
  subroutine filter(a, n)
    integer, intent(in) :: n
    real(dp), intent(inout) :: a(n)
    real(dp), allocatable, save :: tmp(:), w(:)
    logical, save :: first = .true.
    integer :: i
    if (first) then
      allocate(tmp(0:n+1), w(-1:1))
      w = [0.25_dp, 0.5_dp, 0.25_dp]
      first = .false.
    end if
    tmp(1:n) = a
    tmp(0) = a(n)
    tmp(n+1) = a(1)
    do i = 1, n
      a(i) = sum(w * tmp(i-1:i+1)) * tmp(i)
    end do
  end subroutine
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y, a(n)
    a = x
    call filter(a, n)
    call filter(a, n)
    y = sum(a**2)
  end function
end module

include 'requests.inc'
