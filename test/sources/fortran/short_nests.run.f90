! Nests of a few passes in Fortran: triangles from one counter to another, parameter arrays, steps backwards, and an internal function.
! RUN: %levels %s conditioned 0.8 1.3 -0.4 1.1 0.6 0.2 -0.9
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  real(c_double), parameter :: points(4) = [0.0694318442029737_c_double, 0.330009478207571868_c_double, &
                                            0.669990521792428132_c_double, 0.9305681557970263_c_double]
contains
  pure function power(t, n) result(p)
    real(c_double), intent(in) :: t
    integer, intent(in) :: n
    real(c_double) :: p
    integer :: i
    p = 1
    do i = 1, n
      p = p * t
    end do
  end function

  function collocation(x) result(total)
    real(c_double), intent(in) :: x(7)
    real(c_double) :: total, w(4), factorial
    integer :: k, m, j
    total = 0
    do k = 1, 4
      do m = 1, 4
        factorial = 1
        w(m) = 0
        do j = m, 7
          w(m) = w(m) + power(points(k), j - m) / factorial * x(j)
          factorial = factorial * (j - m + 1)
        end do
      end do
      total = total + w(4) - w(2) * w(3) + sin(w(1) * w(4))
    end do
  end function

  ! Elimination and back substitution of a small matrix.
  subroutine solve(a, b)
    real(c_double), intent(inout) :: a(4, 4), b(4)
    integer :: i, j, k
    do k = 1, 3
      do i = k + 1, 4
        a(i, k) = a(i, k) / a(k, k)
        do j = k + 1, 4
          a(i, j) = a(i, j) - a(i, k) * a(k, j)
        end do
        b(i) = b(i) - a(i, k) * b(k)
      end do
    end do
    do i = 4, 1, -1
      do j = i + 1, 4
        b(i) = b(i) - a(i, j) * b(j)
      end do
      b(i) = b(i) / a(i, i)
    end do
  end subroutine

  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y, a(4, 4), b(4)
    integer :: i, j, times
    y = 0
    do times = 1, n
      do j = 1, 4
        do i = 1, 4
          a(i, j) = 0.2_c_double * x(mod(i + j * times, n) + 1)
        end do
        a(j, j) = a(j, j) + 2
        b(j) = x(j) + 0.01_c_double * y
      end do
      call solve(a, b)
      y = y + collocation(x) * b(1) + dot_product(b, b)
    end do
  end function
end module

include 'requests.inc'
