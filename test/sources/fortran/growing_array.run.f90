! An array that is moved to a larger one as it grows.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(c_double), allocatable :: a(:), t(:)
    integer :: i, k
    allocate(a(1))
    k = 0
    do i = 1, 2 * n
      if (k == size(a)) then
        allocate(t(2 * size(a)))
        t(1:k) = a
        call move_alloc(t, a)
      end if
      k = k + 1
      a(k) = x(mod(i, n) + 1) * i
    end do
    y = sum(a(1:k)**2)
    deallocate(a)
  end function
end module

include 'requests.inc'
