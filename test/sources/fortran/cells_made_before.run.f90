! Cells with arrays of their own, a list and a pointer's array, all made before the gradient is asked for.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module state
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  type cell
    real(dp), allocatable :: v(:)
    integer :: kind = 1
    real(dp) :: w = 0.5_dp
  end type
  type node
    real(dp) :: a = 0
    type(node), pointer :: next => null()
  end type
  type(cell), allocatable :: cells(:)
  type(node), pointer :: head => null()
  real(dp), pointer :: work(:) => null()
contains
  subroutine set_up(n)
    integer, intent(in) :: n
    integer :: i
    type(node), pointer :: p
    if (allocated(cells)) return
    allocate(cells(n))
    do i = 1, n
      allocate(cells(i)%v(i + 1))
      cells(i)%v = 0.1_dp * i
      cells(i)%kind = mod(i, 2)
      allocate(p)
      p%a = i
      p%next => head
      head => p
    end do
    allocate(work(n))
    work = 0
  end subroutine
end module
module program_under_test
  use state
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    integer :: k, i
    type(node), pointer :: p
    do i = 1, n
      cells(i)%v = x(i) * [(k, k = 1, i + 1)]
      if (cells(i)%kind == 1) cells(i)%w = x(i)**2
      work(i) = sum(cells(i)%v) * cells(i)%w
    end do
    y = 0
    p => head
    i = 0
    do while (associated(p))
      i = i + 1
      p%a = i + work(i) * x(1)
      y = y + p%a**2
      p => p%next
    end do
  end function
end module

include 'requests_of_set_up.inc'
