! Objects of two extensions in a list by the class they share, with a number that begins as zero: a type's description leads to numbers then,
! and the next one's is found where the list leads.
! RUN: %levels %s double 0.53 1.37 0.21 0.83
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type, abstract :: well
    real(dp) :: q = 0
    class(well), pointer :: next => null()
  contains
    procedure(add_i), deferred :: add
  end type
  abstract interface
    subroutine add_i(self, t, s)
      import
      class(well), intent(in) :: self
      real(dp), intent(in) :: t
      real(dp), intent(inout) :: s
    end subroutine
  end interface
  type, extends(well) :: theis
    real(dp) :: r
  contains
    procedure :: add => add_theis
  end type
  type, extends(well) :: image
    real(dp) :: r, w
  contains
    procedure :: add => add_image
  end type
contains
  subroutine add_theis(self, t, s)
    class(theis), intent(in) :: self
    real(dp), intent(in) :: t
    real(dp), intent(inout) :: s
    s = s + self%q * exp(-self%r**2 / t)
  end subroutine
  subroutine add_image(self, t, s)
    class(image), intent(in) :: self
    real(dp), intent(in) :: t
    real(dp), intent(inout) :: s
    s = s - self%w * self%q * exp(-self%r**2 / t)
  end subroutine
  subroutine push(head, w)
    class(well), pointer, intent(inout) :: head
    class(well), intent(in) :: w
    class(well), pointer :: c
    allocate(c, source=w)
    c%next => head
    head => c
  end subroutine
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    class(well), pointer :: head, p
    head => null()
    call push(head, theis(x(1), null(), x(2)))
    call push(head, image(x(2), null(), x(3), x(1)))
    call push(head, theis(x(4), null(), x(1)))
    y = 0
    p => head
    do while (associated(p))
      call p%add(x(3), y)
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
