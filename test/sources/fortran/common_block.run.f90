! Old style: COMMON for parameters that do not change, an include-free subroutine, implied DO, statement labels.
! RUN: %levels %s double 0.8 1.3 -0.4 2.1
subroutine horner(c, n, x, y)
  use, intrinsic :: iso_c_binding
  implicit none
  integer n, i
  real(c_double) c(n), x, y
  real(c_double) scale
  common /settings/ scale
  y = 0
  do 10 i = n, 1, -1
    y = y * x + c(i)
10 continue
  y = y * scale
end

block data
  use, intrinsic :: iso_c_binding
  real(c_double) scale
  common /settings/ scale
  data scale /0.5d0/
end

module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y, z
    call horner(x, n, x(1), y)
    call horner(x(2), n - 1, y, z)
    y = y * z
  end function
end module

include 'requests.inc'
