! A mesh of cells with allocatable components, advanced by type-bound procedures through pointers, ASSOCIATE and DO CONCURRENT.
! RUN: %levels %s double 0.8317 1.3123 0.4719 1.1231 0.6637 0.9341
module mesh_m
  implicit none
  integer, parameter :: dp = kind(1d0)
  type :: cell
    integer :: nb(4) = 0, n = 0
    real(dp) :: area = 0, u(3) = 0, res(3) = 0
  end type
  type :: mesh
    type(cell), allocatable :: c(:)
    real(dp), allocatable :: flux(:, :)
    real(dp), pointer :: dt => null()
    integer, allocatable :: owner(:), neigh(:)
  contains
    procedure :: setup
    procedure, private :: rhs
    procedure :: step
    generic :: advance => step
  end type
contains
  subroutine setup(self, n, x)
    class(mesh), intent(inout) :: self
    integer, intent(in) :: n
    real(dp), intent(in) :: x(:)
    integer :: i
    allocate(self%c(n), self%owner(n - 1), self%neigh(n - 1), self%flux(3, n - 1))
    do i = 1, n
      self%c(i)%area = 1 + 0.1_dp * x(1 + mod(i, size(x)))
      self%c(i)%u = [x(1) + 0.1_dp * i, x(2) * i, x(3)]
      self%c(i)%n = merge(1, 2, i == 1 .or. i == n)
    end do
    self%owner = [(i, i = 1, n - 1)]
    self%neigh = self%owner + 1
    allocate(self%dt)
    self%dt = 0.01_dp * x(4)
  end subroutine
  elemental function wave(h, q) result(s)
    real(dp), intent(in) :: h, q
    real(dp) :: s
    s = abs(q) / h + sqrt(9.81_dp * h)
  end function
  pure function physical(u) result(f)
    real(dp), intent(in) :: u(3)
    real(dp) :: f(3)
    associate (h => u(1), q => u(2), t => u(3))
      f = [q, q * q / h + 0.5_dp * 9.81_dp * h**2, t * q]
    end associate
  end function
  subroutine rhs(self)
    class(mesh), intent(inout), target :: self
    type(cell), pointer :: l, r
    integer :: k
    real(dp) :: a
    do k = 1, size(self%owner)
      l => self%c(self%owner(k)); r => self%c(self%neigh(k))
      a = max(wave(l%u(1), l%u(2)), wave(r%u(1), r%u(2)))
      self%flux(:, k) = 0.5_dp * (physical(l%u) + physical(r%u)) - 0.5_dp * a * (r%u - l%u)
    end do
    do k = 1, size(self%c)
      self%c(k)%res = 0
    end do
    do k = 1, size(self%owner)
      associate (o => self%c(self%owner(k)), nb => self%c(self%neigh(k)))
        o%res = o%res - self%flux(:, k) / o%area
        nb%res = nb%res + self%flux(:, k) / nb%area
      end associate
    end do
  end subroutine
  subroutine step(self, count)
    class(mesh), intent(inout) :: self
    integer, intent(in), optional :: count
    integer :: s, i
    do s = 1, merge(count, 1, present(count))
      call self%rhs()
      do concurrent (i = 1:size(self%c))
        self%c(i)%u = self%c(i)%u + self%dt * self%c(i)%res
      end do
    end do
  end subroutine
end module
module program_under_test
  use, intrinsic :: iso_c_binding
  use mesh_m
  implicit none
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(mesh) :: m, other
    real(dp) :: tot(3)
    integer :: i
    call m%setup(7, x)
    call m%advance(4)
    other = m
    call other%advance(2)
    tot = 0
    do i = 1, size(m%c)
      tot = tot + m%c(i)%u * other%c(i)%area
    end do
    block
      real(dp) :: w(3)
      w = matmul(reshape(x(:6), [3, 2]), tot(1:2))
      y = norm2(w) + maxval(other%c%u(1)) + sum(m%flux(2, :)) * x(5) + dot_product(other%c(:)%u(3), m%c(:)%u(2)) * x(6)
    end block
    deallocate(m%dt)
  end function
end module
include 'requests.inc'
