! A text is made of another that is repeated, beside a number of the module: REPEAT reads and writes text, and nothing else.
! RUN: %levels %s double 0.53 1.37 0.21 0.83
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  real(c_double) :: state = 1
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    character(len=:), allocatable :: name
    state = x(1) * x(2)
    name = 'mix' // repeat('ab', n) // repeat('c', n - 4)
    y = len(name) * x(1) * state
    if (name == 'mixabababab') y = y + state * x(3)
  end function
end module
include 'requests.inc'
