! A binary tree of pointers, filled, walked and given back by recursion.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type :: tnode
    real(dp) :: key, weight
    type(tnode), pointer :: left => null(), right => null()
  end type
contains
  recursive subroutine insert(t, key, w)
    type(tnode), pointer, intent(inout) :: t
    real(dp), intent(in) :: key, w
    if (.not. associated(t)) then
      allocate(t)
      t%key = key
      t%weight = w
    else if (key < t%key) then
      call insert(t%left, key, w)
    else
      call insert(t%right, key, w)
    end if
  end subroutine
  recursive function walk(t, depth) result(s)
    type(tnode), pointer, intent(in) :: t
    integer, intent(in) :: depth
    real(dp) :: s
    s = 0
    if (associated(t)) s = t%key * t%weight * depth + walk(t%left, depth + 1) + walk(t%right, depth + 1)
  end function
  recursive subroutine drop(t)
    type(tnode), pointer, intent(inout) :: t
    if (associated(t)) then
      call drop(t%left)
      call drop(t%right)
      deallocate(t)
    end if
  end subroutine
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(tnode), pointer :: root
    integer :: i
    nullify(root)
    do i = 1, n
      call insert(root, x(i), x(i)**2)
    end do
    y = walk(root, 1)
    call drop(root)
  end function
end module
include 'requests.inc'
