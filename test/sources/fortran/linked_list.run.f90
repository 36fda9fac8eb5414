! Objects behind pointers that are allocated one by one, found through one another, and given back.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  type :: node
    real(c_double) :: v = 0
    type(node), pointer :: next => null()
  end type
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(node), pointer :: head, p
    integer :: i
    head => null()
    do i = 1, n
      allocate(p)
      p%v = x(i)**2 * i
      p%next => head
      head => p
    end do
    y = 0
    p => head
    do while (associated(p))
      y = y * 0.5d0 + sin(p%v)
      p => p%next
    end do
    do while (associated(head))
      p => head%next
      deallocate(head)
      head => p
    end do
  end function
end module

include 'requests.inc'
