! Two pointers of a module into one array, which are exchanged each step.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module m
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  real(dp), allocatable, target :: buf(:,:)
  real(dp), pointer :: old(:), new(:)
contains
  subroutine setup(n)
    integer, intent(in) :: n
    if (.not. allocated(buf)) allocate(buf(n, 2))
    old => buf(:, 1)
    new => buf(:, 2)
  end subroutine
  subroutine swap()
    real(dp), pointer :: t(:)
    t => old
    old => new
    new => t
  end subroutine
end module
module program_under_test
  use m
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    integer :: k, i
    call setup(n)
    old = x
    do k = 1, 4
      new(1) = old(1)
      do i = 2, n
        new(i) = old(i) + 0.1_dp * old(i-1) * old(i)
      end do
      call swap()
    end do
    y = sum(old**2)
  end function
end module

include 'requests.inc'
