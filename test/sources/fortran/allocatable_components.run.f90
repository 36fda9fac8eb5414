! An object whose components are allocatable: initialised, assigned as a whole, and given back where it goes out of scope.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  type :: grid
    integer :: n = 0
    real(c_double), allocatable :: u(:), w(:, :)
  end type
contains
  subroutine init(g, n)
    type(grid), intent(out) :: g
    integer, intent(in) :: n
    g%n = n
    allocate(g%u(n), g%w(n, 2))
    g%u = 0
  end subroutine
  function total(g) result(t)
    type(grid), intent(in) :: g
    real(c_double) :: t
    integer :: i
    t = 0
    do i = 1, g%n
      t = t + g%u(i)**2 * g%w(i, 1)
    end do
  end function

  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(grid) :: g, h
    integer :: i
    call init(g, n)
    do i = 1, n
      g%u(i) = x(i) * i
      g%w(i, 1) = x(i)**2
      g%w(i, 2) = 1 / x(i)
    end do
    h = g
    h%u = h%u * 2
    y = sum(g%u * h%u) + sum(h%w) + total(h)
    deallocate(g%u)
  end function
end module

include 'requests.inc'
