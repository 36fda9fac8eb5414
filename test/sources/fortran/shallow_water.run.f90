! A shallow-water model on a ring: staggered fields, several steps, a cost.
! RUN: %levels %s double 0.8 1.3 -0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: cells = 16, steps = 10
  real(c_double), parameter :: dt = 0.02d0, width = 0.5d0, g = 1
contains
  subroutine step(h, u, drag)
    real(c_double), intent(inout) :: h(cells), u(cells)
    real(c_double), intent(in) :: drag
    real(c_double) :: flux(cells), kept(cells)
    integer :: i, left, right
    do i = 1, cells
      right = mod(i, cells) + 1
      flux(i) = u(i) * 0.5d0 * (h(i) + h(right))
      kept(i) = u(i)
    end do
    do i = 1, cells
      left = mod(i + cells - 2, cells) + 1
      right = mod(i, cells) + 1
      h(i) = h(i) - dt / width * (flux(i) - flux(left))
      u(i) = kept(i) - dt * (g * (h(right) - h(i)) / width + drag * kept(i) * abs(kept(i)) &
             + kept(i) * (kept(right) - kept(left)) / (2 * width))
    end do
  end subroutine

  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y, h(cells), u(cells)
    integer :: i
    do i = 1, cells
      h(i) = 2 + 0.1d0 * x(mod(i, n) + 1) * cos(0.4d0 * i)
      u(i) = 0.2d0 * x(mod(i + 1, n) + 1) * sin(0.4d0 * i)
    end do
    do i = 1, steps
      call step(h, u, 0.1d0 + 0.01d0 * x(1)**2)
    end do
    y = 0
    do i = 1, cells
      y = y + 0.5d0 * h(i) * u(i)**2 + 0.5d0 * g * (h(i) - 2)**2 * i
    end do
  end function
end module

include 'requests.inc'
