! Arrays of assumed shape: descriptors with strides, bounds asked for at run time, optional arguments.
! RUN: %levels %s double 0.8 1.3 -0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
contains
  subroutine smooth(u, v, weight)
    real(c_double), intent(in) :: u(:)
    real(c_double), intent(out) :: v(:)
    real(c_double), intent(in), optional :: weight
    real(c_double) :: w
    integer :: i
    w = 0.25d0
    if (present(weight)) w = weight
    v(lbound(v, 1)) = u(1)
    v(ubound(v, 1)) = u(size(u))
    do i = 2, size(u) - 1
      v(i) = (1 - 2 * w) * u(i) + w * (u(i - 1) + u(i + 1))
    end do
  end subroutine

  function trace(a) result(t)
    real(c_double), intent(in) :: a(:, :)
    real(c_double) :: t
    integer :: i
    t = 0
    do i = 1, min(size(a, 1), size(a, 2))
      t = t + a(i, i)**2
    end do
  end function

  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y, u(8), v(8), a(4, 4)
    integer :: i, j
    do i = 1, 8
      u(i) = x(mod(i, n) + 1) * i
    end do
    call smooth(u, v)
    call smooth(v(1:8), u, x(1))
    do j = 1, 4
      do i = 1, 4
        a(i, j) = u(i) * v(j + 4)
      end do
    end do
    y = trace(a) + trace(a(2:4, 1:4:2)) + u(3) * v(6)
  end function
end module

include 'requests.inc'
