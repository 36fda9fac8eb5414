! Arrays of objects in another order: packed by a mask, shifted around, spread, transposed and reshaped. What their components hold goes with them.
! RUN: %levels %s double 0.3 0.7 1.1 0.45
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  type :: particle
    real(c_double) :: x, v
    real(c_float) :: charge
    integer :: cell
  end type
  type :: track
    real(c_double), allocatable :: at(:)
    integer :: length = 0
  end type
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(particle), allocatable :: all(:), fast(:), grid(:,:), turned(:,:)
    type(track) :: tracks(4)
    type(track), allocatable :: long(:), moved(:)
    integer :: i
    all = [(particle(i*0.77d0 + x(1)*sin(3d0*i), x(2)*cos(1d0*i), merge(1., -1., mod(i, 2) == 0), i), i = 1, 10)]
    fast = pack(all, abs(all%v) > 0.25d0)
    grid = reshape(all(1:6), [3, 2])
    turned = transpose(grid)
    y = sum(fast%v**2*fast%charge) + sum(grid(3,:)%x*turned(:,1)%v) + size(fast)
    all = cshift(all, 3)
    grid = spread(all(2:3), 1, 2)
    y = y + sum(all(1:3)%x*all(1:3)%cell) + sum(grid%v)*x(3)
    do i = 1, 4
      tracks(i)%length = mod(i, 3) + 1
      allocate(tracks(i)%at(tracks(i)%length))
      tracks(i)%at = x(i)*i
    end do
    long = pack(tracks, tracks%length > 1)
    moved = cshift(tracks, 1)
    do i = 1, size(long)
      y = y + sum(long(i)%at**2)*i + sum(moved(i)%at)*moved(i)%length*x(4)
    end do
  end function
end module

include 'requests.inc'
