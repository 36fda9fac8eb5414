! Tangents of the gradient where objects come and go in each pass of a loop: what their descriptors held before is put back from the tape,
! and extents are on the tape that sizes of memory are made of. Those are integers there, too.
! RUN: mkdir -p %t.dir && cd %t.dir
! RUN: %flang -O0 %pass %s -o %t.O0 %runtime && %t.O0
! RUN: %flang -O2 %pass %s -o %t.O2 %runtime && %t.O2
module operators
  implicit none
  integer, parameter :: dp = kind(1d0)
  type, abstract :: operator_t
    integer :: n = 0
  contains
    procedure(apply_i), deferred :: apply
  end type
  abstract interface
    function apply_i(this, v) result(w)
      import :: operator_t, dp
      class(operator_t), intent(in) :: this
      real(dp), intent(in) :: v(:)
      real(dp) :: w(size(v))
    end function
  end interface
  type, extends(operator_t) :: dense_t
    real(dp), allocatable :: a(:, :)
  contains
    procedure :: apply => dense_apply
  end type
  type, extends(operator_t) :: band_t
    real(dp), allocatable :: di(:)
  contains
    procedure :: apply => band_apply
  end type
contains
  function band_apply(this, v) result(w)
    class(band_t), intent(in) :: this
    real(dp), intent(in) :: v(:)
    real(dp) :: w(size(v))
    w = this%di * v
  end function
  function dense_apply(this, v) result(w)
    class(dense_t), intent(in) :: this
    real(dp), intent(in) :: v(:)
    real(dp) :: w(size(v))
    w = this%a(:, 1) * v
  end function
  subroutine krylov(op, b, x, m)
    class(operator_t), intent(in) :: op
    real(dp), intent(in) :: b(:)
    real(dp), intent(inout) :: x(:)
    integer, intent(in) :: m
    real(dp), allocatable :: q(:, :)
    integer :: j
    allocate (q(size(b), m + 1))
    q(:, 1) = b - op%apply(x)
    q(:, 1) = q(:, 1) / norm2(q(:, 1))
    do j = 1, m
      q(:, j + 1) = op%apply(q(:, j))
      q(:, j + 1) = q(:, j + 1) / norm2(q(:, j + 1))
    end do
    x = x + q(:, m + 1)
  end subroutine
end module
module objects
contains
  function f(x, n) result(y) bind(C)
    use, intrinsic :: iso_c_binding
    use operators
    integer(c_int), value :: n
    real(c_double) :: x(n), y
    class(operator_t), allocatable :: op
    real(dp) :: b(8), s(8), w(8)
    integer :: i, kind
    y = 0
    w = [(1d0 / i, i=1, 8)]
    do kind = 1, 2
      if (kind == 1) then
        allocate (dense_t :: op)
      else
        allocate (band_t :: op)
      end if
      op%n = 8
      select type (op)
      type is (dense_t)
        allocate (op%a(8, 8))
        op%a = spread([(0.1d0 * sin(x(1) * i), i=1, 8)], 2, 8)
        do i = 1, 8
          op%a(i, i) = op%a(i, i) + 2 + x(3)
        end do
      type is (band_t)
        op%di = [(2 + x(5) * i, i=1, 8)]
      end select
      b = [(x(mod(i, 6) + 1), i=1, 8)]
      s = 0
      call krylov(op, b, s, 6)
      y = y + sum(w * s**3)
      deallocate (op)
    end do
  end function
  subroutine gradient(x, dx, n) bind(C)
    use, intrinsic :: iso_c_binding
    integer(c_int), value :: n
    real(c_double) :: x(n), dx(n)
    interface
      subroutine autodiff(f, x, dx, n) bind(C, name="__enzyme_autodiff_v")
        use, intrinsic :: iso_c_binding
        type(c_funptr), value :: f
        integer(c_int), value :: n
        real(c_double) :: x(*), dx(*)
      end subroutine
    end interface
    call autodiff(c_funloc(f), x, dx, n)
  end subroutine
end module
program second
  use, intrinsic :: iso_c_binding
  use objects
  implicit none
  interface
    function first_tangent(f, x, dx, n) bind(C, name="__enzyme_fwddiff_first") result(d)
      use, intrinsic :: iso_c_binding
      type(c_funptr), value :: f
      integer(c_int), value :: n
      real(c_double) :: x(*), dx(*), d
    end function
    subroutine second_tangent(f, x, v, g, hv, n) bind(C, name="__enzyme_fwddiff_second")
      use, intrinsic :: iso_c_binding
      type(c_funptr), value :: f
      integer(c_int), value :: n
      real(c_double) :: x(*), v(*), g(*), hv(*)
    end subroutine
  end interface
  integer, parameter :: n = 6
  real(c_double), parameter :: h = 1d-5
  real(c_double) :: x(n), v(n), g(n), hv(n), ahead(n), behind(n), one(n), expected, first
  integer :: i, bad
  x = [0.7d0, 1.3d0, 0.4d0, 0.9d0, 0.2d0, 0.6d0]
  v = [0.3d0, -0.2d0, 0.5d0, 0.1d0, -0.7d0, 0.4d0]
  g = 0
  hv = 0
  call second_tangent(c_funloc(gradient), x, v, g, hv, n)
  ahead = 0
  behind = 0
  call gradient(x + h * v, ahead, n)
  call gradient(x - h * v, behind, n)
  bad = 0
  do i = 1, n
    expected = (ahead(i) - behind(i)) / (2 * h)
    if (abs(hv(i) - expected) > 1d-7 * max(1d0, abs(expected))) then
      print *, i, hv(i), 'not', expected
      bad = 1
    end if
    one = 0
    one(i) = 1
    first = first_tangent(c_funloc(f), x, one, n)
    if (abs(g(i) - first) > 5d-13 * max(1d0, abs(first))) then
      print *, 'gradient', i, g(i), 'not', first
      bad = 1
    end if
  end do
  if (bad /= 0) error stop 1
end program
