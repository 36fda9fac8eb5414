! A grid and a state of a module that the program sets up before it asks for a gradient.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module state
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  integer :: nx
  real(dp), allocatable :: grid(:), u(:), flux(:)
contains
  subroutine set_up(n)
    integer, intent(in) :: n
    integer :: i
    if (allocated(u)) return
    nx = n
    allocate(grid(0:n), u(n), flux(0:n))
    do i = 0, n
      grid(i) = i * 0.1_dp + 0.001_dp * i * i
    end do
    u = 0
    flux = 0
  end subroutine
end module
module program_under_test
  use state
  implicit none
contains
  subroutine step(dt)
    real(dp), intent(in) :: dt
    integer :: i
    flux(0) = u(1)**2 / 2
    do i = 1, nx - 1
      flux(i) = (u(i)**2 + u(i+1)**2) / 4 / (1 + grid(i))
    end do
    flux(nx) = u(nx)**2 / 2
    do i = 1, nx
      u(i) = u(i) - dt * (flux(i) - flux(i-1))
    end do
  end subroutine
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    integer :: k
    u = x
    do k = 1, 5
      call step(0.05_dp)
    end do
    y = sum(u**2 * grid(1:nx))
  end function
end module

include 'requests_of_set_up.inc'
