! A box model of the ocean: objects that hold integers, logicals and names beside their numbers, copied and assigned whole.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module box_state
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  type :: params
    integer :: n_steps
    logical :: use_wind
    character(len=8) :: name
    real(dp) :: alpha, beta, k, dt
  end type
  type :: box
    integer :: id
    real(dp) :: t, s, volume
  end type
  type(params) :: par
contains
  pure real(dp) function density(p, b)
    type(params), intent(in) :: p
    type(box), intent(in) :: b
    density = 1027.0_dp * (1 - p%alpha * (b%t - 10) + p%beta * (b%s - 35))
  end function
  subroutine step(p, boxes)
    type(params), intent(in) :: p
    type(box), intent(inout) :: boxes(:)
    type(box) :: old(size(boxes))
    real(dp) :: q, rho(size(boxes))
    integer :: i
    old = boxes
    do i = 1, size(boxes)
      rho(i) = density(p, old(i))
    end do
    q = p%k * (rho(3) - rho(1))
    if (q > 0) then
      boxes(1)%t = old(1)%t + p%dt * q * (old(2)%t - old(1)%t) / old(1)%volume
      boxes(1)%s = old(1)%s + p%dt * q * (old(2)%s - old(1)%s) / old(1)%volume
      boxes(3)%t = old(3)%t + p%dt * q * (old(1)%t - old(3)%t) / old(3)%volume
      boxes(3)%s = old(3)%s + p%dt * q * (old(1)%s - old(3)%s) / old(3)%volume
    else
      boxes(1)%t = old(1)%t - p%dt * q * (old(3)%t - old(1)%t) / old(1)%volume
      boxes(3)%t = old(3)%t - p%dt * q * (old(2)%t - old(3)%t) / old(3)%volume
    end if
    boxes(2)%t = boxes(2)%t + p%dt * abs(q) * (old(3)%t - old(2)%t) / old(2)%volume
    if (p%use_wind) boxes(:)%t = boxes(:)%t + p%dt * 0.1_dp * (15 - boxes(:)%t)
  end subroutine
end module

module program_under_test
  use box_state
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(box) :: boxes(3)
    integer :: i
    par = params(12, .true., 'stommel', 2.0e-4_dp * x(1), 8.0e-4_dp, 0.3_dp, 0.05_dp)
    boxes = [box(1, 20 + x(2), 36.0_dp, 1.0_dp), box(2, 5.0_dp * x(3), 34.5_dp + 0.1_dp * x(4), 4.0_dp), &
             box(3, 6.0_dp, 34.0_dp, 1.5_dp)]
    do i = 1, par%n_steps
      call step(par, boxes)
    end do
    y = sum(boxes%t) * 0.1_dp + boxes(1)%s * boxes(3)%s * 1.0e-2_dp
  end function
end module

include 'requests.inc'
