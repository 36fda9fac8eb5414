! The numbers next to a number, and its exponent, by the functions of Fortran and of IEEE arithmetic, which the compiler writes as arithmetic on
! bits: single and double, from both sides of zero.
! RUN: %levels %s double 0.6 1.3 -0.7 0.9
module program_under_test
  use iso_c_binding
  use, intrinsic :: ieee_arithmetic
  implicit none
contains
  real(c_double) function f(x, n) bind(c)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: below, above
    integer :: i
    f = 0
    do i = 1, n
      f = f + nearest(x(i), 1.0d0)*x(1) + nearest(x(i)*x(2), -1.0)
      f = f + ieee_next_after(x(i)*x(i), 10d0) - ieee_next_after(3*x(i), x(2))*x(1)
      f = f + ieee_next_up(x(i))*x(2) + ieee_next_down(sin(x(i)))
      f = f + ieee_logb(x(i))*x(i) + spacing(x(i)) + exponent(x(i))*x(1)
      f = f + nearest(real(i, c_float), 1.0)*x(i)
      ! A bracket that holds the number whatever is rounded.
      below = nearest(x(i)**3, -1.0)
      above = nearest(x(i)**3, 1.0)
      if (below < x(i)**3 .and. above > x(i)**3) f = f + below*above
    end do
  end function
end module
include 'requests.inc'
