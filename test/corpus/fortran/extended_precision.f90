! REAL(10), REAL(4) and integers of all kinds in one sum.
module corpus
  use iso_c_binding, only: c_double, c_int
  use iso_fortran_env, only: int8, int16, int64
  implicit none
contains
  function f(x, n) result(r) bind(c, name="f")
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: r
    real(10) :: wide, term
    real(4) :: narrow
    integer(int8) :: tiny
    integer(int16) :: small
    integer(int64) :: large
    integer :: k
    wide = 1.0_10
    term = 1.0_10
    do k = 1, 20
      term = term * real(x(1), 10) / k
      wide = wide + term
    end do
    narrow = real(x(2), 4)
    narrow = narrow * narrow + sqrt(abs(narrow))
    tiny = int(mod(nint(x(3) * 10), 100), int8)
    small = ishft(int(tiny, int16), 2)
    large = iand(int(small, int64) * 1000003_int64, 255_int64)
    r = real(wide / (1.0_10 + wide * wide), c_double) + narrow + x(4) * real(large + popcnt(small), c_double) &
      + aint(x(4)) + sign(1.0d0, x(2)) * hypot(x(1), x(4))
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
