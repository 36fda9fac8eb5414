! A tree whose nodes hold their children as allocatable components: copied and given back by recursion of the compiler.
! RUN: %levels %s double 0.8317 1.3123 0.4719 1.1231 0.6637 0.9341
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = kind(1d0)
  type :: node
    real(dp) :: key = 0, val = 0
    type(node), allocatable :: l, r
  end type
contains
  recursive subroutine insert(t, k, v)
    type(node), allocatable, intent(inout) :: t
    real(dp), intent(in) :: k, v
    if (.not. allocated(t)) then
      allocate(t)
      t%key = k
      t%val = v
    else if (k < t%key) then
      call insert(t%l, k, v)
    else
      call insert(t%r, k, v)
    end if
  end subroutine
  recursive function fold(t, acc) result(r)
    type(node), allocatable, intent(in) :: t
    real(dp), intent(in) :: acc
    real(dp) :: r
    r = acc
    if (.not. allocated(t)) return
    r = fold(t%l, r)
    r = 0.9_dp * r + t%val * t%key
    r = fold(t%r, r)
  end function
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(node), allocatable :: root, other
    integer :: k
    do k = 1, n
      call insert(root, x(k) * sin(real(k, dp)), x(k) * k)
    end do
    y = 0.1_dp * fold(root, x(6))
    other = root
    deallocate(root)
    call insert(other, x(1), x(2))
    y = y * fold(other, x(5))
  end function
end module
include 'requests.inc'
