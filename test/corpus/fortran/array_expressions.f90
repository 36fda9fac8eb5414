! Whole-array expressions, where, forall, merge, spread, reductions and matrix intrinsics.
module corpus
  use iso_c_binding, only: c_double, c_int
  implicit none
contains
  function f(x, n) result(r) bind(c, name="f")
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: r
    real(c_double) :: a(5, 5), b(5, 5), v(5)
    integer :: i, j
    forall (i = 1:5, j = 1:5) a(i, j) = x(mod(i + j, n) + 1) / (i + 2 * j)
    b = matmul(a, transpose(a)) + exp(-a * a)
    where (b > 0.5d0)
      b = sqrt(b)
    elsewhere
      b = b * b
    end where
    v = sum(b, dim=1) * [(1.0d0 / i, i = 1, 5)]
    v = cshift(v, 1) + merge(v, -v, v > 0.3d0)
    do concurrent (i = 1:5)
      v(i) = v(i) + 0.1d0 * b(i, i)
    end do
    r = dot_product(v, reshape(a, [5])) + maxval(b) + minval(a) + product(1.0d0 + 0.1d0 * v) &
      + sum(spread(v, 1, 3)) + norm2(v) + real(count(b > 0.2d0), c_double) * x(1)
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
