! RUN: %levels %s double 0.8 1.3 0.4 2.1
! A method that has an automatic array calls what only the type of its object tells.
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type, abstract :: operator_t
    integer :: n
  contains
    procedure(op_apply), deferred :: apply
    procedure :: twice
  end type
  abstract interface
    subroutine op_apply(self, v, r)
      import
      class(operator_t), intent(in) :: self
      real(dp), intent(in) :: v(:)
      real(dp), intent(out) :: r(:)
    end subroutine
  end interface
  type, extends(operator_t) :: tri_t
    real(dp), allocatable :: d(:)
  contains
    procedure :: apply => tri_apply
  end type
  type, extends(operator_t) :: dense_t
    real(dp), allocatable :: a(:,:)
  contains
    procedure :: apply => dense_apply
  end type
contains
  subroutine tri_apply(self, v, r)
    class(tri_t), intent(in) :: self
    real(dp), intent(in) :: v(:)
    real(dp), intent(out) :: r(:)
    r = self%d * v
  end subroutine
  subroutine dense_apply(self, v, r)
    class(dense_t), intent(in) :: self
    real(dp), intent(in) :: v(:)
    real(dp), intent(out) :: r(:)
    r = matmul(self%a, v)
  end subroutine
  subroutine twice(self, b, x)
    class(operator_t), intent(in) :: self
    real(dp), intent(in) :: b(:)
    real(dp), intent(inout) :: x(:)
    real(dp), dimension(self%n) :: r
    call self%apply(b, r)
    call self%apply(r, x)
  end subroutine
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(tri_t) :: tr
    class(operator_t), allocatable :: op
    real(dp) :: z(4)
    integer :: i, j
    tr%n = 4
    tr%d = x * 2
    call tr%twice(x, z)
    y = sum(z)
    allocate(dense_t :: op)
    op%n = 4
    select type (op)
    type is (dense_t)
      allocate(op%a(4, 4))
      do j = 1, 4
       do i = 1, 4
        op%a(i, j) = x(i) * x(j)
       end do
      end do
    end select
    call op%twice(x, z)
    y = y + sum(z)
  end function
end module
include "requests.inc"
