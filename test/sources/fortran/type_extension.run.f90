! Type extension: overridden procedures, polymorphic pointers and arguments.
! RUN: %levels %s double 0.83 1.31 0.47 2.13
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  type :: animal
    real(c_double) :: mass = 1
  contains
    procedure :: energy => animal_energy
  end type
  type, extends(animal) :: dog
    real(c_double) :: speed = 0
  contains
    procedure :: energy => dog_energy
  end type
contains
  function animal_energy(self) result(e)
    class(animal), intent(in) :: self
    real(c_double) :: e
    e = self%mass
  end function
  function dog_energy(self) result(e)
    class(dog), intent(in) :: self
    real(c_double) :: e
    e = 0.5d0 * self%mass * self%speed**2 + self%animal%energy()
  end function
  function total(a) result(e)
    class(animal), intent(in) :: a
    real(c_double) :: e
    e = a%energy() * a%mass
    select type (a)
    type is (dog)
      e = e + a%speed
    end select
  end function

  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(dog) :: d
    class(animal), pointer :: p
    type(dog), target :: e
    d%mass = x(1)
    d%speed = x(2)
    e%mass = x(3)
    e%speed = x(4)
    p => e
    y = d%energy() + total(d) + p%energy() + total(p)
  end function
end module

include 'requests.inc'
