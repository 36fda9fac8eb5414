! Allocatable arrays: made, grown by assignment, passed on, and left to be freed.
! RUN: %levels %s double 0.8 1.3 -0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(c_double), allocatable :: a(:), b(:, :)
    integer :: i, j
    allocate(a(n), b(n, 3))
    do i = 1, n
      a(i) = x(i) * x(n + 1 - i)
      do j = 1, 3
        b(i, j) = a(i) ** j
      end do
    end do
    y = 0
    if (allocated(b)) then
      do j = 1, size(b, 2)
        do i = 1, size(b, 1)
          y = y + b(i, j) * j
        end do
      end do
    end if
    deallocate(b)
    y = y * a(1) + a(2)
  end function
end module

include 'requests.inc'
