! RUN: %levels %s double 0.8 1.3 0.4 2.1
! Procedures that are bound to a type and are of one signature are told from each other by where they stand in the tables of types.
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type :: field_t
    real(dp), allocatable :: u(:,:), h(:,:)
  contains
    procedure :: init => field_init
    procedure :: energy => field_energy
    procedure, private :: add_fields
    generic :: operator(+) => add_fields
  end type
  type, extends(field_t) :: tracer_t
    real(dp), allocatable :: c(:,:)
  contains
    procedure :: init => tracer_init
    procedure :: energy => tracer_energy
  end type
contains
  subroutine field_init(self, bottom, amp)
    class(field_t), intent(inout) :: self
    real(dp), intent(in) :: bottom(2), amp
    integer :: i, j
    allocate(self%u(2, 2), self%h(2, 2))
    do j = 1, 2
      do i = 1, 2
        self%u(i, j) = amp * i + bottom(j)
        self%h(i, j) = self%u(i, j)**2
      end do
    end do
  end subroutine
  subroutine tracer_init(self, bottom, amp)
    class(tracer_t), intent(inout) :: self
    real(dp), intent(in) :: bottom(2), amp
    call self%field_t%init(bottom, amp)
    self%c = sin(self%h) * bottom(1)
  end subroutine
  function add_fields(a, b) result(r)
    class(field_t), intent(in) :: a
    type(field_t), intent(in) :: b
    type(field_t) :: r
    r%u = a%u + b%u
    r%h = a%h * b%h
  end function
  real(dp) function field_energy(self) result(e)
    class(field_t), intent(in) :: self
    e = sum(self%u * self%h)
  end function
  real(dp) function tracer_energy(self) result(e)
    class(tracer_t), intent(in) :: self
    e = self%field_t%energy() + sum(self%c**2)
  end function
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    class(field_t), allocatable :: s
    type(field_t) :: a, b, c
    integer :: kind_of
    y = 0
    do kind_of = 1, 2
      if (allocated(s)) deallocate(s)
      if (kind_of == 1) then
        allocate(field_t :: s)
      else
        allocate(tracer_t :: s)
      end if
      call s%init(x(3:4), x(1) * kind_of)
      y = y + s%energy() * kind_of
    end do
    call a%init(x(1:2), x(3)); call b%init(x(3:4), x(2))
    c = a + b
    y = y + c%energy()
  end function
end module
include "requests.inc"
