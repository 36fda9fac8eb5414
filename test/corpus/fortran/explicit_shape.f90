! Explicit-shape arrays, classic loops, a matrix product and a norm.
module corpus
  use iso_c_binding, only: c_double, c_int
  implicit none
contains
  subroutine multiply(m, a, v, w)
    integer, intent(in) :: m
    real(c_double), intent(in) :: a(m, m), v(m)
    real(c_double), intent(out) :: w(m)
    integer :: i, j
    do i = 1, m
      w(i) = 0.0d0
    end do
    do j = 1, m
      do i = 1, m
        w(i) = w(i) + a(i, j) * v(j)
      end do
    end do
  end subroutine

  function f(x, n) result(r) bind(c, name="f")
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: r
    real(c_double) :: a(6, 6), v(6), w(6)
    integer :: i, j, t
    do j = 1, 6
      v(j) = 1.0d0 / j
      do i = 1, 6
        a(i, j) = x(mod(i * j, n) + 1) / (i + j)
      end do
    end do
    do t = 1, 4
      call multiply(6, a, v, w)
      v = w + 0.1d0 * v
    end do
    r = sqrt(dot_product(v, v))
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
