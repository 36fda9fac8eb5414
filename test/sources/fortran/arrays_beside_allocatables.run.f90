! Objects with long arrays of numbers and of integers beside allocatable components, and arrays of such objects: they begin as constants, and
! are assigned as a whole.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module columns
  use, intrinsic :: iso_c_binding, only: dp => c_double, c_int
  implicit none
  type :: column_t
    real(dp) :: t(100), s(100)
    integer :: kind(100)
    real(dp), allocatable :: w(:)
    integer :: n = 100
  end type
  type :: basin_t
    type(column_t) :: c(3)
    real(dp) :: area = 1
  end type
  ! Short enough to be moved number by number.
  type :: layer_t
    real(dp) :: t(10)
    integer :: kind(10)
    real(dp), allocatable :: w(:)
  end type
  type :: category_t
    real(dp) :: thickness, area
    real(dp), allocatable :: heat(:), temperature(:)
    logical :: melting = .false.
  end type
  ! More than a few descriptors in one object.
  type :: cell_t
    type(category_t) :: category(6)
    real(dp), allocatable :: bounds(:)
  end type
end module
module program_under_test
  use columns
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(dp), intent(in) :: x(n)
    real(dp) :: y
    type(column_t) :: c, d
    type(basin_t) :: b, e
    type(layer_t) :: l, m
    type(cell_t) :: cell
    integer :: k
    c%t = x(1)
    c%s = [(x(2) * k, k = 1, 100)]
    c%kind = [(mod(k, 3), k = 1, 100)]
    c%w = x
    d = c
    d%t(3) = x(3)
    y = sum(d%t**2) + sum(d%s * d%kind) + sum(d%w * c%w) + d%n
    do k = 1, 3
      b%c(k) = d
      b%c(k)%w = b%c(k)%w * k
    end do
    e = b
    e%c(2)%t = 2 * e%c(1)%t
    y = y + sum(e%c(2)%t) + sum(e%c(3)%w) + sum(e%c(2)%s) * e%area
    l%t = [(x(4) * sin(0.3_dp * k), k = 1, 10)]
    l%kind = [(mod(k, 4), k = 1, 10)]
    l%w = [x(1), x(2)]
    m = l
    do k = 9, 2, -1
      m%t(k) = m%t(k - 1) * l%t(k + 1)
    end do
    y = y + sum(m%t * m%kind) * sum(m%w)
    cell%bounds = [0.1_dp, x(3)]
    do k = 1, 6
      cell%category(k)%thickness = 0.2_dp * k * x(1)
      cell%category(k)%area = x(2)
      cell%category(k)%temperature = [-x(3) * k, x(4)]
      allocate(cell%category(k)%heat(2), source=cell%category(k)%temperature**2)
      cell%category(k)%melting = mod(k, 2) == 0
    end do
    do k = 1, 5
      if (cell%category(k)%melting) cell%category(k + 1)%heat = cell%category(k + 1)%heat + cell%category(k)%heat * x(k - 1)
    end do
    do k = 1, 6
      y = y + dot_product(cell%category(k)%heat, cell%bounds) * cell%category(k)%area * cell%category(k)%thickness
    end do
  end function
end module
include 'requests.inc'
