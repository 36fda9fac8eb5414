! Particles: objects that hold small arrays beside integers and logicals, in an allocatable array, changed by whole arrays.
! RUN: %levels %s double 0.8 1.3 0.4 2.1 0.6 1.7
module particle_mod
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type :: particle
    real(dp) :: pos(3) = 0, vel(3) = 0
    real(dp) :: mass = 1
    integer :: id = 0
    logical :: fixed = .false.
  end type
contains
  subroutine forces(p, a)
    type(particle), intent(in) :: p(:)
    real(dp), intent(out) :: a(3, size(p))
    integer :: i, j
    real(dp) :: r(3)
    a = 0
    do i = 1, size(p)
      if (p(i)%fixed) cycle
      do j = 1, size(p)
        if (p(i)%id == p(j)%id) cycle
        r = p(j)%pos - p(i)%pos
        a(:, i) = a(:, i) + p(j)%mass * r / (dot_product(r, r) + 0.1_dp)**1.5_dp
      end do
    end do
  end subroutine
end module

module program_under_test
  use particle_mod
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(particle), allocatable :: p(:)
    real(dp), allocatable :: a(:, :)
    integer :: i, step
    allocate(p(3), a(3, 3))
    do i = 1, 3
      p(i)%id = i
      p(i)%pos = [x(i), x(i + 3), x(i) * x(i + 3)]
      p(i)%mass = x(i)
    end do
    p(2)%fixed = .true.
    do step = 1, 4
      call forces(p, a)
      do i = 1, size(p)
        p(i)%vel = p(i)%vel + 0.1_dp * a(:, i)
        p(i)%pos = p(i)%pos + 0.1_dp * p(i)%vel
      end do
    end do
    y = 0
    do i = 1, 3
      y = y + 0.5_dp * p(i)%mass * sum(p(i)%vel**2) + p(i)%pos(1)
    end do
  end function
end module

include 'requests.inc'
