! FORALL into what flang cannot tell from what is read: components, pointers, sections; the places are put away first.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type :: cell
    real(dp) :: level
    real(dp), allocatable :: rows(:, :)
  end type
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(cell) :: one, all(3)
    real(dp), allocatable :: a(:), m(:, :)
    real(dp), pointer :: p(:)
    real(dp), target :: t(6)
    integer :: i, j, order(4)
    allocate (one%rows(4, 5), a(5), m(3, 4))
    do i = 1, 3
      allocate (all(i)%rows(2, 2), source=x(4))
    end do
    ! More places than there is room for at first.
    forall (i=1:4, j=1:5) one%rows(i, j) = x(1)*i + x(2)*j
    forall (i=1:5) a(i) = x(3)*i
    forall (i=2:4, a(i) > 1) a(i) = a(i - 1) + a(i + 1)*x(4)
    forall (i=1:3) all(i)%rows(2, 1) = x(1)*i
    forall (i=1:3) all(i)%level = x(2)/i
    t = x(1)
    p => t(1:6:2)
    forall (i=1:3)
      p(i) = x(3)*i
      m(i, :) = x(4)*i + x(1)
    end forall
    order = [3, 1, 4, 2]
    forall (i=1:4) m(2, order(i)) = m(1, i)*x(2)
    y = sum(one%rows**2) + sum(a*a) + sum(t) + sum(m*m)
    do i = 1, 3
      y = y + all(i)%level*sum(all(i)%rows)
    end do
  end function
end module
include 'requests.inc'
