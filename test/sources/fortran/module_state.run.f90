! State of a module: an object with allocatables, a pointer to a part of it, and MOVE_ALLOC between its steps.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module state
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: wp = c_double
  type :: st
    integer :: n = 0
    real(wp), allocatable :: u(:), v(:)
    real(wp) :: total = 0
  end type
  type(st), target :: s
  real(wp), allocatable :: work(:)
  real(wp), pointer :: p(:) => null()
contains
  subroutine init(x)
    real(wp), intent(in) :: x(:)
    s%n = size(x)
    allocate(s%u(s%n), s%v(s%n))
    s%u = x
    s%v = 0
    s%total = 0
  end subroutine
  subroutine step()
    integer :: i
    allocate(work(s%n))
    p => s%u(2:s%n)
    do i = 1, s%n
      work(i) = s%u(i)**2 + s%v(mod(i, s%n) + 1)
    end do
    p(1) = p(1) * p(2)
    call move_alloc(work, s%v)
    s%total = s%total + sum(s%v)*0.1_wp
  end subroutine
  subroutine done()
    deallocate(s%u, s%v)
    nullify(p)
  end subroutine
end module
module program_under_test
  use state
  implicit none
contains
function f(x, n) result(y) bind(C)
  integer(c_int), value :: n
  real(wp), intent(in) :: x(n)
  real(wp) :: y
  integer :: i
  call init(x)
  do i = 1, 3
    call step()
    s%u = s%u + 0.1_wp*s%v
  end do
  y = s%total + sum(s%v)
  call done()
end function
end module

include 'requests.inc'
