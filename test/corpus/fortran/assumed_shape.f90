! Assumed-shape dummies, sections with strides, optional and keyword arguments.
module corpus
  use iso_c_binding, only: c_double, c_int
  implicit none
contains
  pure function blend(a, b, weight) result(c)
    real(c_double), intent(in) :: a(:), b(:)
    real(c_double), intent(in), optional :: weight
    real(c_double) :: c(size(a))
    real(c_double) :: w
    w = 0.5d0
    if (present(weight)) w = weight
    c = w * a + (1.0d0 - w) * b
  end function

  subroutine relax(grid)
    real(c_double), intent(inout) :: grid(:, :)
    integer :: i, j
    do j = 2, ubound(grid, 2) - 1
      do i = 2, ubound(grid, 1) - 1
        grid(i, j) = 0.25d0 * (grid(i - 1, j) + grid(i + 1, j) + grid(i, j - 1) + grid(i, j + 1))
      end do
    end do
  end subroutine

  function f(x, n) result(r) bind(c, name="f")
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: r
    real(c_double) :: grid(8, 8)
    integer :: i
    do i = 1, 8
      grid(i, :) = x(mod(i, n) + 1) * i
    end do
    call relax(grid(1:7, 2:8))
    call relax(grid(::2, ::2))
    grid(1, :) = blend(grid(2, :), grid(8:1:-1, 3))
    grid(:, 1) = blend(weight=0.25d0, a=grid(:, 2), b=grid(:, 5))
    r = sum(grid * grid) / 64
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
