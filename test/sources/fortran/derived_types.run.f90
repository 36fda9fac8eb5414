! Derived types with arrays and other types inside, and procedures bound to them.
! RUN: %levels %s double 0.8 1.3 -0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none

  type :: particle
    real(c_double) :: place(3), speed(3)
    real(c_double) :: mass = 1
  end type

  type :: cloud
    integer :: count = 0
    type(particle) :: particles(3)
  contains
    procedure :: energy => energy_of
  end type
contains
  function energy_of(self) result(e)
    class(cloud), intent(in) :: self
    real(c_double) :: e, r
    integer :: i, j, k
    e = 0
    do i = 1, self%count
      do k = 1, 3
        e = e + 0.5d0 * self%particles(i)%mass * self%particles(i)%speed(k)**2
      end do
      do j = 1, i - 1
        r = 0.1d0
        do k = 1, 3
          r = r + (self%particles(i)%place(k) - self%particles(j)%place(k))**2
        end do
        e = e - self%particles(i)%mass / sqrt(r)
      end do
    end do
  end function

  subroutine add(c, x, mass)
    type(cloud), intent(inout) :: c
    real(c_double), intent(in) :: x, mass
    integer :: k
    c%count = c%count + 1
    c%particles(c%count)%mass = mass
    do k = 1, 3
      c%particles(c%count)%place(k) = x * k
      c%particles(c%count)%speed(k) = sin(x + k)
    end do
  end subroutine

  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(cloud) :: c
    call add(c, x(1), x(2))
    call add(c, x(3), 2d0)
    call add(c, x(n), x(1)**2)
    y = c%energy()
  end function
end module

include 'requests.inc'
