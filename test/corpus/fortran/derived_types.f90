! Derived types with components of all sorts, type-bound procedures, pointers and a linked list.
module corpus
  use iso_c_binding, only: c_double, c_int
  implicit none

  type :: particle
    real(c_double) :: at(3) = 0.0d0
    real(c_double) :: mass = 1.0d0
    integer :: charge = 1
  contains
    procedure :: energy => particle_energy
  end type

  type :: link
    type(particle) :: here
    type(link), pointer :: next => null()
  end type

contains
  function particle_energy(self, field) result(e)
    class(particle), intent(in) :: self
    real(c_double), intent(in) :: field
    real(c_double) :: e
    e = self%mass * sum(self%at**2) + self%charge * field * self%at(1)
  end function

  function f(x, n) result(r) bind(c, name="f")
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: r
    type(link), pointer :: head, node
    integer :: i
    nullify(head)
    do i = 1, 5
      allocate(node)
      node%here%at = [x(mod(i, n) + 1), 0.5d0 * i, x(1)]
      node%here%mass = 1.0d0 + x(2) * x(2)
      node%here%charge = (-1)**i
      node%next => head
      head => node
    end do
    r = 0.0d0
    do while (associated(head))
      r = r + head%here%energy(x(3))
      node => head%next
      deallocate(head)
      head => node
    end do
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
