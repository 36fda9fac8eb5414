! A shallow-water step on a staggered grid, with module arrays: the kind of program this is all for.
module grid
  use iso_c_binding, only: c_double
  implicit none
  integer, parameter :: nx = 10, ny = 8
  real(c_double) :: h(nx, ny), u(nx, ny), v(nx, ny)
  real(c_double) :: gravity = 9.81d0, dt = 0.01d0, dx = 1.0d0
end module

module corpus
  use iso_c_binding, only: c_int
  use grid
  implicit none
contains
  subroutine step()
    real(c_double) :: flux_x(nx, ny), flux_y(nx, ny)
    integer :: i, j, east, north, west, south
    do j = 1, ny
      do i = 1, nx
        east = mod(i, nx) + 1
        north = mod(j, ny) + 1
        flux_x(i, j) = 0.5d0 * (h(i, j) + h(east, j)) * u(i, j)
        flux_y(i, j) = 0.5d0 * (h(i, j) + h(i, north)) * v(i, j)
      end do
    end do
    do j = 1, ny
      do i = 1, nx
        west = mod(i + nx - 2, nx) + 1
        south = mod(j + ny - 2, ny) + 1
        h(i, j) = h(i, j) - dt / dx * (flux_x(i, j) - flux_x(west, j) + flux_y(i, j) - flux_y(i, south))
      end do
    end do
    do j = 1, ny
      do i = 1, nx
        east = mod(i, nx) + 1
        north = mod(j, ny) + 1
        u(i, j) = u(i, j) - dt * gravity * (h(east, j) - h(i, j)) / dx - 0.1d0 * dt * abs(u(i, j)) * u(i, j)
        v(i, j) = v(i, j) - dt * gravity * (h(i, north) - h(i, j)) / dx - 0.1d0 * dt * abs(v(i, j)) * v(i, j)
      end do
    end do
  end subroutine

  function f(x, n) result(r) bind(c, name="f")
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: r
    integer :: i, j, t
    do j = 1, ny
      do i = 1, nx
        h(i, j) = 1.0d0 + 0.1d0 * x(mod(i + j, n) + 1) * exp(-0.1d0 * ((i - 5)**2 + (j - 4)**2))
        u(i, j) = 0.05d0 * x(1)
        v(i, j) = 0.02d0 * x(2) * i
      end do
    end do
    do t = 1, 10
      call step()
    end do
    r = sum(h * (u**2 + v**2)) + 0.5d0 * gravity * sum((h - 1.0d0)**2)
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
