! Pointers to objects that change places in a loop, with what is said of their types: a list that is turned round, and two fields that are
! the present and the next in turn.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module lists
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  type :: item_t
    integer :: id = 0
    real(dp), allocatable :: c(:)
  end type
  type :: node_t
    type(item_t), allocatable :: item
    real(dp) :: key
    type(node_t), pointer :: next => null()
  end type
  type :: field_t
    real(dp), pointer :: values(:) => null()
  end type
  type :: solver_t
    type(field_t) :: a, b
    type(field_t), pointer :: now, next
    real(dp) :: factor
  end type
  type :: list_t
    type(node_t), pointer :: head => null()
  end type
contains
  subroutine push(self, item, key)
    type(list_t), intent(inout) :: self
    type(item_t), intent(in) :: item
    real(dp), intent(in) :: key
    type(node_t), pointer :: node
    allocate(node)
    allocate(node%item, source=item)
    node%key = key
    node%next => self%head
    self%head => node
  end subroutine
  subroutine reverse(self)
    type(list_t), intent(inout) :: self
    type(node_t), pointer :: prev, cur, nxt
    prev => null()
    cur => self%head
    do while (associated(cur))
      nxt => cur%next
      cur%next => prev
      prev => cur
      cur => nxt
    end do
    self%head => prev
  end subroutine
  subroutine step(s)
    type(solver_t), intent(inout), target :: s
    type(field_t), pointer :: old
    s%next%values = s%now%values * s%factor + sin(s%now%values)
    old => s%now
    s%now => s%next
    s%next => old
  end subroutine
  function evaluate(self, s) result(v)
    type(list_t), intent(in) :: self
    real(dp), intent(in) :: s
    real(dp) :: v
    type(node_t), pointer :: cur
    v = s
    cur => self%head
    do while (associated(cur))
      v = 0.5_dp * v + cur%key * sum(cur%item%c)
      cur => cur%next
    end do
  end function
end module
module program_under_test
  use lists
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    type(list_t) :: l
    type(item_t) :: p
    type(solver_t), target :: s
    integer :: i
    p%c = [x(1), 0.3_dp * x(2)]
    do i = 1, 3
      call push(l, p, x(3) * i)
    end do
    y = evaluate(l, x(1))
    call reverse(l)
    y = y + evaluate(l, x(2))
    allocate(s%a%values(n), s%b%values(n))
    s%now => s%a
    s%next => s%b
    s%factor = 0.3_dp * x(3)
    s%now%values = x
    do i = 1, 5
      call step(s)
    end do
    y = y + sum(s%now%values**2)
    deallocate(s%a%values, s%b%values)
  end function
end module
include 'requests.inc'
