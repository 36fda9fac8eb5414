! Arrays of a module that are allocated anew in each call and used by a recursive function.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module m
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  real(dp), allocatable :: work(:), keep(:,:)
contains
  subroutine ensure(n)
    integer, intent(in) :: n
    if (allocated(work)) then
      if (size(work) /= n) deallocate(work)
    end if
    if (.not. allocated(work)) allocate(work(n))
    if (allocated(keep)) deallocate(keep)
    allocate(keep(n, 0:2))
    keep = 0
  end subroutine
end module
module program_under_test
  use m
  implicit none
contains
  recursive function tree(i, n) result(s)
    integer, intent(in) :: i, n
    real(dp) :: s
    if (i > n) then
      s = 0
      return
    end if
    keep(i, 1) = work(i)**2 + tree(2 * i, n)
    keep(i, 2) = keep(i, 1) * tree(2 * i + 1, n)
    s = keep(i, 1) * 0.5_dp + keep(i, 2) * work(1)
  end function
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    call ensure(n)
    work(:) = sin(x)
    y = tree(1, int(n)) + sum(keep(:, 1))
  end function
end module

include 'requests.inc'
