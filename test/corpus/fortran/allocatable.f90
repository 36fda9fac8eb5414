! Allocatable arrays that grow, are moved and reallocated on assignment.
module corpus
  use iso_c_binding, only: c_double, c_int
  implicit none
contains
  subroutine append(list, value)
    real(c_double), allocatable, intent(inout) :: list(:)
    real(c_double), intent(in) :: value
    real(c_double), allocatable :: longer(:)
    integer :: count
    count = 0
    if (allocated(list)) count = size(list)
    allocate(longer(count + 1))
    if (count > 0) longer(1:count) = list
    longer(count + 1) = value
    call move_alloc(longer, list)
  end subroutine

  function f(x, n) result(r) bind(c, name="f")
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: r
    real(c_double), allocatable :: list(:), squares(:), table(:, :)
    integer :: i
    do i = 1, 7
      call append(list, x(mod(i, n) + 1) + 0.1d0 * i)
    end do
    squares = list**2
    squares = [squares, 2.0d0 * list(1:3)]
    allocate(table(size(list), 2), source=1.5d0)
    table(:, 1) = list
    r = sum(squares) + sum(table) * list(2)
    deallocate(table)
  end function
end module

program print_value
  use iso_c_binding, only: c_double
  use corpus
  implicit none
  real(c_double) :: x(4)
  x = [0.5d0, -0.25d0, 0.75d0, 1.25d0]
  print '(ES20.12)', f(x, 4)
end program
