! Sums over halves of an array that are put into allocatable arrays, components among them, and handed on by recursion.
! RUN: %levels %s conditioned 0.8 1.3 0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  type :: pair
    real(dp), allocatable :: a(:), b(:)
  end type
contains
  recursive function total(z) result(s)
    real(dp), intent(in) :: z(:)
    real(dp) :: s
    real(dp), allocatable :: left(:), right(:)
    type(pair) :: both
    if (size(z) == 1) then
      s = z(1)**2
      return
    end if
    left = z(:size(z)/2)
    right = z(size(z)/2+1:)
    both%a = right
    both%b = left * right(size(right))
    call move_alloc(both%a, left)
    s = total(left) * 0.5_dp + total(both%b) + left(1) * both%b(1)
  end function
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    integer :: i
    y = total([(x(mod(i, n) + 1) * 0.2_dp * i, i = 1, 11)])
  end function
end module
include 'requests.inc'
