! Materials of two types behind a deferred binding, and what Fortran does with whole arrays: masks, shifts, joined arrays, a recursion that
! asks where the largest element is, and an integer that is read from text while the type of a material is known.
! RUN: %levels %s double 0.41 0.62 0.33 0.9 0.7 0.5
module shapes
  implicit none
  integer, parameter :: dp = kind(1d0)
  type, abstract :: material
    real(dp) :: density = 1.0_dp
  contains
    procedure(stress_i), deferred :: stress
    procedure :: energy => default_energy
  end type
  abstract interface
    pure function stress_i(self, eps) result(s)
      import; class(material), intent(in) :: self; real(dp), intent(in) :: eps(3); real(dp) :: s(3)
    end function
  end interface
  type, extends(material) :: elastic
    real(dp) :: e, nu
  contains
    procedure :: stress => el_stress
  end type
  type, extends(elastic) :: hardening
    real(dp), allocatable :: curve(:)
  contains
    procedure :: stress => h_stress
    procedure :: energy => h_energy
  end type
  interface operator(.dd.)
    module procedure ddot
  end interface
  type holder
    class(material), allocatable :: m
  end type
contains
  pure function ddot(a, b) result(r)
    real(dp), intent(in) :: a(:), b(:); real(dp) :: r
    r = a(1)*b(1) + a(2)*b(2) + 2*a(3)*b(3)
  end function
  pure function el_stress(self, eps) result(s)
    class(elastic), intent(in) :: self; real(dp), intent(in) :: eps(3); real(dp) :: s(3), c
    c = self%e/(1 - self%nu**2)
    s = c*[eps(1) + self%nu*eps(2), eps(2) + self%nu*eps(1), (1 - self%nu)*eps(3)]
  end function
  pure function h_stress(self, eps) result(s)
    class(hardening), intent(in) :: self; real(dp), intent(in) :: eps(3); real(dp) :: s(3), q
    integer :: k
    s = self%elastic%stress(eps)
    q = sqrt(sum(eps**2) + 1d-8)
    do k = size(self%curve), 1, -1
      s = s*(1 + self%curve(k)*q**k)
    end do
  end function
  pure function default_energy(self, eps) result(w)
    class(material), intent(in) :: self; real(dp), intent(in) :: eps(3); real(dp) :: w
    w = 0.5_dp*(self%stress(eps) .dd. eps)*self%density
  end function
  pure function h_energy(self, eps) result(w)
    class(hardening), intent(in) :: self; real(dp), intent(in) :: eps(3); real(dp) :: w
    w = default_energy(self, eps)*(1 + sum(self%curve))
  end function
end module
module program_under_test
  use shapes
  implicit none
contains
  function f(x, n) bind(C) result(y)
    use, intrinsic :: iso_c_binding
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    type(holder) :: hs(3)
    type(hardening) :: h
    real(dp) :: eps(3, n), w(n), grid(4, 4), pattern(4, 4), best
    logical :: mask(4, 4)
    integer :: i, j, k
    character(len=8) :: name
    h%e = 2 + x(1); h%nu = 0.3_dp; allocate(h%curve(2)); h%curve = [0.1_dp*x(2), 0.05_dp]
    allocate(hs(1)%m, source=elastic(1.5_dp, x(1) + 1, 0.25_dp))
    allocate(hs(2)%m, source=h)
    hs(3) = hs(2)
    select type (m => hs(3)%m)
    type is (hardening)
      m%curve = m%curve*2
      m%density = x(3)**2 + 0.5_dp
    class default
      m%density = -1
    end select
    do concurrent (i = 1:n)
      eps(:, i) = [x(i), x(mod(i, n) + 1)*0.5_dp, sin(x(i))]*0.3_dp
    end do
    y = 0
    do k = 1, 3
      do i = 1, n
        w(i) = hs(k)%m%energy(eps(:, i))
      end do
      y = y + k*dot_product(w, w(n:1:-1)) + maxval(w)
    end do
    forall (i = 1:4, j = 1:4) grid(i, j) = sin(real(i*j, dp)*x(mod(i + j, n) + 1))
    forall (i = 1:4, j = 1:4) pattern(i, j) = sin(1.7_dp*i*j)
    mask = pattern > 0.1_dp
    where (mask)
      grid = grid**2
    elsewhere (pattern < -0.5_dp)
      grid = -grid
    elsewhere
      grid = 0.1_dp*grid
    end where
    y = y + sum(grid, mask=.not. mask) + sum(matmul(grid, transpose(grid))) + product(pack(grid(:, 2), mask(:, 2)) + 1)
    y = y + sum(cshift(grid, 1, 2)*eoshift(grid, -1, boundary=x(1))) + norm2(reshape(grid, [8, 2]))
    write (name, '(i4.4)') n*3
    read (name, *) k
    y = y + k*0.01_dp*x(4) + sum(spread(x(1:2), 1, 3)*merge(1.0_dp, x(5), x(2) > 0))
    best = minval(grid, dim=1, mask=pattern > 0) .dd. x(1:4)
    outer: do i = 1, 4
      do j = 1, 4
        if (pattern(i, j) > 0.3_dp) cycle outer
        if (i + j > 7) exit outer
        best = best + grid(i, j)*x(j)
      end do
    end do outer
    block
      real(dp), allocatable :: t(:)
      t = x
      t = [t, x(1:2)*best]
      y = y + sum(t**2)
      call bubble(t)
      y = y + t(1)*t(size(t))
    end block
  end function
  recursive subroutine bubble(t)
    real(dp), intent(inout) :: t(:)
    integer :: m
    real(dp) :: s
    if (size(t) < 2) return
    m = maxloc(t, 1)
    s = t(m); t(m) = t(size(t)); t(size(t)) = s
    call bubble(t(:size(t) - 1))
  end subroutine
end module
include 'requests.inc'
