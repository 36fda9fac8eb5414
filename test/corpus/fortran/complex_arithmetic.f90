! COMPLEX of two kinds: a contour integral and a transform by the definition.
module corpus
  use iso_c_binding, only: c_double, c_int, c_double_complex, c_float_complex
  implicit none
contains
  function f(x, n) result(r) bind(c, name="f")
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: r
    complex(c_double_complex) :: z, total, spectrum(8), signal(8)
    complex(c_float_complex) :: narrow
    integer :: k, j
    total = (0.0d0, 0.0d0)
    do k = 1, 16
      z = exp(cmplx(0.0d0, 0.4d0 * k, c_double_complex)) * cmplx(x(1), x(2), c_double_complex)
      total = total + sqrt(z * z + 1.0d0) / (z + 2.0d0)
    end do
    do k = 1, 8
      signal(k) = cmplx(x(mod(k, n) + 1), k, c_double_complex)
    end do
    do k = 1, 8
      spectrum(k) = (0.0d0, 0.0d0)
      do j = 1, 8
        spectrum(k) = spectrum(k) + signal(j) * exp((0.0d0, -1.0d0) * (k * j))
      end do
    end do
    narrow = cmplx(spectrum(3), kind=c_float_complex)
    r = abs(total) + real(conjg(spectrum(2)) * spectrum(5)) / 50.0d0 + aimag(total**3) + real(narrow) * 1.0d-3
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
