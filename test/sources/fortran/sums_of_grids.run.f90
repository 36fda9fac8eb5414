! A defined operator whose result has arrays of objects with arrays, and such an array by its own indices: a temporary that goes without finalization.
! RUN: %levels %s double 0.9 1.1 0.7 1.3
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type :: cell
    real(dp), allocatable :: u(:)
    real(dp) :: mass = 1
  end type
  type :: grid
    type(cell), allocatable :: cells(:)
    real(dp) :: dx
  contains
    procedure :: add
    generic :: operator(+) => add
  end type
contains
  function make(x) result(g)
    real(dp), intent(in) :: x(:)
    type(grid) :: g
    integer :: i, k
    allocate(g%cells(size(x)))
    g%dx = x(1)
    do i = 1, size(x)
      allocate(g%cells(i)%u(i+1))
      g%cells(i)%u = [(x(i) * k, k = 1, i + 1)]
    end do
  end function
  function add(a, b) result(c)
    class(grid), intent(in) :: a
    type(grid), intent(in) :: b
    type(grid) :: c
    integer :: i
    c%cells = a%cells
    c%dx = a%dx * b%dx
    do i = 1, size(b%cells)
      c%cells(i)%u = a%cells(i)%u * b%cells(i)%u
    end do
  end function
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(grid) :: g, s
    integer :: i
    g = make(x)
    g%cells = g%cells([1, 2, 3, 4])
    s = g + make(x(n:1:-1))
    y = 0
    do i = 1, n
      y = y + s%cells(i)%mass * sum(s%cells(i)%u) * s%dx + g%cells(i)%u(2)**2
    end do
  end function
end module
include 'requests.inc'
