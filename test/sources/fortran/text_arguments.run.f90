! Text that chooses the formula: deferred length, TRIM, ADJUSTL, assignment of another length.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function kernel(name, v) result(r)
    character(len=*), intent(in) :: name
    real(c_double), intent(in) :: v
    real(c_double) :: r
    if (name == 'linear') then
      r = 2 * v
    else if (adjustl(name) == 'cubic') then
      r = v**3
    else
      print *, 'unknown kernel ', name, v
      stop 1
    end if
  end function

  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    character(len=10) :: names(2)
    character(len=:), allocatable :: s
    integer :: i
    names(1) = 'linear'
    names(2) = 'cubic'
    y = 0
    do i = 1, n
      s = trim(names(mod(i, 2) + 1))
      y = y + kernel(s, x(i))
    end do
    if (s == 'cubic' // '') y = y * 2
  end function
end module

include 'requests.inc'
