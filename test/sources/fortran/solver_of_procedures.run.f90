! A solver with two pointers to procedures, a step and what it calls: both take pointers, and one is never kept where the other is. Procedures that
! are bound to a type are kept in neither.
! RUN: %levels %s double 0.53 1.37 0.21 0.83 0.4
module ode_m
  implicit none
  abstract interface
    function rhs_i(t, y, p) result(d)
      real(8), intent(in) :: t, y(:), p(:)
      real(8) :: d(size(y))
    end function
  end interface
  type :: solver
    procedure(rhs_i), pointer, nopass :: rhs => null()
    procedure(step_i), pointer, pass(s) :: step => null()
    real(8), allocatable :: p(:)
    integer :: evals = 0
  contains
    procedure :: integrate
  end type
  abstract interface
    subroutine step_i(y, s, h)
      import solver
      real(8), intent(inout) :: y(:)
      class(solver), intent(inout) :: s
      real(8), intent(in) :: h
    end subroutine
  end interface
  type :: unused
    procedure(rhs_i), pointer, nopass :: a, b
    real(8), pointer :: q(:) => null()
  end type
contains
  function decay(t, y, p) result(d)
    real(8), intent(in) :: t, y(:), p(:)
    real(8) :: d(size(y))
    d = -p(1)*y + sin(t)*p(2)
  end function
  function osc(t, y, p) result(d)
    real(8), intent(in) :: t, y(:), p(:)
    real(8) :: d(size(y))
    d(1) = y(2); d(2) = -p(1)*y(1) - p(2)*y(2)**3
    if (size(y) > 2) d(3:) = p(3)*y(1)
  end function
  subroutine euler(y, s, h)
    real(8), intent(inout) :: y(:)
    class(solver), intent(inout) :: s
    real(8), intent(in) :: h
    y = y + h*s%rhs(0d0, y, s%p); s%evals = s%evals + 1
  end subroutine
  subroutine heun(y, s, h)
    real(8), intent(inout) :: y(:)
    class(solver), intent(inout) :: s
    real(8), intent(in) :: h
    real(8) :: k(size(y))
    k = s%rhs(0d0, y, s%p)
    y = y + h/2*(k + s%rhs(h, y + h*k, s%p)); s%evals = s%evals + 2
  end subroutine
  subroutine integrate(self, y, n, h)
    class(solver), intent(inout) :: self
    real(8), intent(inout) :: y(:)
    integer, intent(in) :: n
    real(8), intent(in) :: h
    integer :: i
    do i = 1, n
      call self%step(y, h)
      if (mod(i, 4) == 0) self%step => heun
    end do
  end subroutine
end module
module program_under_test
contains
  function f(x, n) result(y) bind(C)
    use iso_c_binding
    use ode_m
    implicit none
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(solver) :: a, b
    real(8) :: u(3), v(2)
    a%rhs => osc; a%step => euler; a%p = x(1:3)
    b%rhs => decay; b%step => heun; b%p = x(4:5)
    u = [x(1), x(2), 0d0]; v = x(3:4)
    call a%integrate(u, 7, 0.1d0); call b%integrate(v, 5, 0.2d0)
    b%rhs => osc
    call b%integrate(v, 3, 0.1d0)
    y = sum(u*u) + v(1)*v(2)*(a%evals + b%evals)
  end function
end module
include 'requests.inc'
