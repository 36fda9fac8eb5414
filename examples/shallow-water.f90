! The shallow-water equations on a periodic line: how does the misfit of the waves after 200 steps depend on the water's
! height at the start? One gradient answers for every cell, and steepest descent brings the misfit down with it.
module shallow_water
  use, intrinsic :: iso_fortran_env, only: real64
  implicit none
  integer, parameter :: cells = 64, steps = 200
  real(real64), parameter :: gravity = 9.81d0, depth = 1d0, dt = 2d-3, dx = 1d0 / cells
  real(real64) :: observed(cells)

contains

  ! Forward in time for the velocity, backward for the height; velocities stand between the cells.
  subroutine run(start, h)
    real(real64), intent(in) :: start(:)
    real(real64), intent(out) :: h(cells)
    real(real64) :: u(cells), flux(cells)
    integer :: step, i, left, right
    do i = 1, cells
      h(i) = start(i)
      u(i) = 0
    end do
    do step = 1, steps
      do i = 1, cells
        left = modulo(i - 2, cells) + 1
        u(i) = u(i) - dt / dx * (gravity * (h(i) - h(left)) + 0.5d0 * u(i) * (u(modulo(i, cells) + 1) - u(left)))
      end do
      do i = 1, cells
        left = modulo(i - 2, cells) + 1
        flux(i) = (depth + 0.5d0 * (h(i) + h(left))) * u(i)
      end do
      do i = 1, cells
        right = modulo(i, cells) + 1
        h(i) = h(i) - dt / dx * (flux(right) - flux(i))
      end do
    end do
  end subroutine

  function misfit(start) result(sum_of_squares)
    real(real64), intent(in) :: start(:)
    real(real64) :: sum_of_squares
    real(real64) :: h(cells)
    integer :: i
    call run(start, h)
    sum_of_squares = 0
    do i = 1, cells
      sum_of_squares = sum_of_squares + (h(i) - observed(i)) ** 2
    end do
  end function

end module

program main
  use, intrinsic :: iso_fortran_env, only: real64
  use backsweep
  use shallow_water
  implicit none
  real(real64) :: truth(cells), start(cells), derivative(cells), moved(cells)
  real(real64) :: first, value, up, down, worst, h, at
  integer :: i, iteration

  do i = 1, cells
    truth(i) = 0.05d0 * exp(-((i - 20) / 5d0) ** 2) - 0.03d0 * exp(-((i - 45) / 4d0) ** 2)
  end do
  call run(truth, observed)
  start = 0

  first = misfit(start)
  derivative = 0
  call gradient(misfit, start, derivative)
  worst = 0
  h = 1d-6
  do i = 1, cells, 7
    at = start(i)
    start(i) = at + h
    up = misfit(start)
    start(i) = at - h
    down = misfit(start)
    start(i) = at
    worst = max(worst, abs(derivative(i) - (up - down) / (2 * h)))
  end do

  value = first
  do iteration = 1, 60
    derivative = 0
    value = value_and_gradient(misfit, bs_primal_return, start, derivative)
    do i = 1, cells
      moved(i) = start(i) - 0.4d0 * derivative(i)
    end do
    start = moved
  end do

  print '(a, es8.1, a, es8.1, a, es8.1)', 'misfit from ', first, ' to ', value, ', central differences agree to ', worst
  if (.not. (value < 1d-2 * first .and. worst < 1d-8)) stop 1
end program
