! Objects in objects that begin with default values, among them integers, copied as a whole.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type :: cell
    real(dp) :: p = 0, t = 0
    integer :: phase = 0
  end type
  type :: column
    type(cell) :: cells(5)
    real(dp) :: area
  end type
  type :: model
    type(column), allocatable :: cols(:)
    character(len=12) :: name = 'model'
    integer :: nt = 0
  end type
contains
  subroutine step(m, dt)
    type(model), intent(inout) :: m
    real(dp), intent(in) :: dt
    integer :: i, k
    do i = 1, size(m%cols)
      associate (c => m%cols(i)%cells)
        do k = 2, 4
          c(k)%t = c(k)%t + dt * (c(k-1)%t - 2 * c(k)%t + c(k+1)%t)
          c(k)%p = c(k)%p * exp(-dt * c(k)%t)
          if (c(k)%t > 1) c(k)%phase = 1
        end do
      end associate
    end do
    m%nt = m%nt + 1
  end subroutine
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(model) :: m, old
    integer :: i, k
    allocate(m%cols(2))
    do i = 1, 2
      m%cols(i)%area = x(4)
      do k = 1, 5
        m%cols(i)%cells(k) = cell(p=x(1) * k, t=x(mod(i + k, 4) + 1))
      end do
    end do
    do i = 1, 6
      call step(m, 0.1_dp)
    end do
    old = m
    call step(m, 0.2_dp)
    y = sum(m%cols(1)%cells%p) * old%cols(2)%area + sum(old%cols(2)%cells(:)%t) + count(m%cols(1)%cells%phase == 1)
  end function
end module
include 'requests.inc'
