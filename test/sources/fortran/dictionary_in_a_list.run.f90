! A dictionary in a linked list, beside a type with an array: what is deallocated is of the type that the dictionary's component was declared
! with, though the descriptor's members were kept in registers.
! RUN: %levels %s double 0.53 1.37 0.21 0.83
module lists
  type mat
    real(8), allocatable :: e(:)
  end type
  type node
    integer :: key
    real(8) :: val
    type(node), pointer :: next => null()
  end type
  type dict
    type(node), pointer :: head => null()
  contains
    procedure :: set
  end type
contains
  subroutine set(self, key, v)
    class(dict), intent(inout) :: self
    integer, intent(in) :: key
    real(8), intent(in) :: v
    type(node), pointer :: p
    p => self%head
    do while (associated(p))
      if (p%key == key) then
        p%val = v
        return
      end if
      p => p%next
    end do
    allocate(p)
    p%key = key; p%val = v; p%next => self%head
    self%head => p
  end subroutine
  subroutine clear(self)
    class(dict), intent(inout) :: self
    type(node), pointer :: p
    do while (associated(self%head))
      p => self%head%next
      deallocate(self%head)
      self%head => p
    end do
  end subroutine
end module
module program_under_test
contains
  function f(x, n) result(y) bind(C)
    use iso_c_binding
    use lists
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(dict) :: d
    do i = 1, n
      call d%set(1, x(i))
    end do
    call d%set(2, x(2))
    y = d%head%val*d%head%next%val
    call clear(d)
  end function
end module
include "requests.inc"
