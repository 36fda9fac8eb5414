! Pointers to arrays, with bounds remapped and strides, allocated and not.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(c_double), pointer :: p(:), q(:, :), r(:)
    real(c_double), target :: work(12)
    integer :: i
    allocate(p(n))
    p = x * 2
    work = 0
    do i = 1, n
      work(i) = x(i) + 1
    end do
    q(1:3, 1:4) => work
    q(2, :) = q(2, :) + p(1:4)
    r => work(1:12:3)
    r = r * p(1)
    y = sum(work) + sum(q(1, :)**2) + sum(p)
    if (associated(r)) nullify(r)
    deallocate(p)
  end function
end module

include 'requests.inc'
