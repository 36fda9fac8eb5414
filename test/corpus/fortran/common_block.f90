! COMMON and EQUIVALENCE, SAVE, BLOCK DATA: state shared by name.
block data initial
  double precision scale, shift(3)
  integer calls
  common /settings/ scale, shift, calls
  data scale /1.5d0/, shift /0.1d0, 0.2d0, 0.3d0/, calls /0/
end block data

module corpus
  use iso_c_binding, only: c_double, c_int
  implicit none
contains
  subroutine update(value)
    double precision, intent(inout) :: value
    double precision scale, shift(3), local(4)
    integer calls
    common /settings/ scale, shift, calls
    equivalence (local(1), scale)
    calls = calls + 1
    value = value * scale + shift(mod(calls, 3) + 1)
    shift(1) = 0.5d0 * shift(1) + 0.01d0 * value
  end subroutine

  function f(x, n) result(r) bind(c, name="f")
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: r
    double precision scale, shift(3), overlay(2)
    integer calls, i
    common /settings/ scale, shift, calls
    double precision first, second
    equivalence (overlay(1), first), (overlay(2), second)
    calls = 0
    shift(1) = x(1)
    first = x(2)
    second = x(3)
    r = 0.0d0
    do i = 1, n
      overlay(mod(i, 2) + 1) = x(i)
      call update(overlay(mod(i, 2) + 1))
      r = r + first * first * i
      second = first
    end do
    r = r + shift(1) + second
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
