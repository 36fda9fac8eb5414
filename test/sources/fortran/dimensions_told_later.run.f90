! Which dimension an array is reduced, shifted or spread along, or asked about, is known only when the program runs.
! RUN: %levels %s double 0.3 0.7 1.1 0.45
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  function means(a, dim) result(m)
    real(c_double), intent(in) :: a(:,:)
    integer, intent(in) :: dim
    real(c_double) :: m(size(a, 3 - dim))
    m = sum(a, dim)/size(a, dim)
  end function

  subroutine bounds(a, dim, low, high)
    real(c_double), intent(in) :: a(0:,2:)
    integer, intent(in) :: dim
    integer, intent(out) :: low, high
    integer :: extents(2), lows(2), highs(2)
    extents = shape(a); lows = lbound(a); highs = ubound(a)
    low = lbound(a, dim) + lows(dim)
    high = ubound(a, dim) + highs(dim) + extents(dim)
  end subroutine

  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y, a(3,4)
    integer :: low, high, dim, j
    do j = 1, 4
      a(:,j) = x(j)*[1, 2, 3] + sin(x(1)*j)
    end do
    y = 0
    do dim = 1, min(n, 2)
      call bounds(a, dim, low, high)
      y = y + sum(means(a, dim)**2)*high + low*x(1)**2
      y = y + sum(cshift(a, 1, dim)*a) + sum(maxval(a, dim)*norm2(a, dim)) + sum(product(a, dim, a > 0.5d0))
      y = y + sum(spread(a(:,1), dim, 2)**2)
    end do
  end function
end module

include 'requests.inc'
