! Character arguments and text, internal and external output, clocks, error stops that are not taken.
! RUN: %levels %s double 0.8 1.3 -0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function reduce(x, n, how) result(y)
    integer, intent(in) :: n
    real(c_double), intent(in) :: x(n)
    character(*), intent(in) :: how
    real(c_double) :: y
    integer :: i
    y = 0
    if (how == 'sum') then
      do i = 1, n
        y = y + x(i)**2
      end do
    else if (trim(how) == 'product') then
      y = 1
      do i = 1, n
        y = y * x(i)
      end do
    else
      error stop 'unknown reduction'
    end if
    if (y /= y) print *, 'not a number ', how, y
  end function

  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y, time
    integer :: count
    call cpu_time(time)
    call system_clock(count)
    y = reduce(x, n, 'sum') * reduce(x, n, 'product  ')
    if (y > 1d30) write (*, '(a, f12.4)') 'large: ', y
  end function
end module

include 'requests.inc'
