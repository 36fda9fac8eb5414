! Values that pass through COMMON blocks, module variables and saved locals, against central differences.
! DEFINE: %{level} =
! DEFINE: %{check} = mkdir -p %t.mods && %flang %{level} -module-dir %t.mods %pass %s -o %t %runtime && %t
! REDEFINE: %{level} = -O0
! RUN: %{check}
! REDEFINE: %{level} = -O2
! RUN: %{check}
! REDEFINE: %{level} = -O3
! RUN: %{check}
module shared_state
  use iso_c_binding
  implicit none
  real(8) :: scale = 1.5d0
  real(8), private :: work(8)
  type :: record
    integer :: kind = 1
    real(8) :: values(3) = 0
  end type
  type(record) :: kept
  interface
    subroutine gradient(f, x, dx, n) bind(C, name="__backsweep_gradient_void")
      import
      type(c_funptr), value :: f
      real(c_double) :: x(*), dx(*)
      integer(c_int), value :: n
    end subroutine
    function tangent(f, x, dx, n) bind(C, name="__backsweep_tangent_f") result(r)
      import
      type(c_funptr), value :: f
      real(c_double) :: x(*), dx(*), r
      integer(c_int), value :: n
    end function
  end interface
contains
  ! Through a COMMON block that two subroutines know by different names.
  function common_block(x, n) bind(C) result(r)
    real(c_double) :: x(*), r
    integer(c_int), value :: n
    real(8) :: a(4), total
    integer :: i
    common /block/ a, total
    total = 0
    do i = 1, 4
      a(i) = i
    end do
    do i = 1, n
      a(mod(i, 4) + 1) = x(i) * x(i)
      call gather(i)
    end do
    r = total * a(1)
  end function

  subroutine gather(i)
    integer, intent(in) :: i
    real(8) :: left(2), right(2), total
    common /block/ left, right, total
    total = total + left(2) * right(1) + sin(left(1)) + i
  end subroutine

  function module_variables(x, n) bind(C) result(r)
    real(c_double) :: x(*), r
    integer(c_int), value :: n
    integer :: i
    scale = x(1)
    do i = 1, n
      work(i) = x(i) * scale
      scale = scale + work(i) * 0.5d0
    end do
    kept%values(2) = scale
    do i = 1, n
      kept%values(2) = kept%values(2) + work(i) * scale
    end do
    kept%kind = 2
    r = kept%values(2) * kept%kind
  end function

  function saved(x, n) bind(C) result(r)
    real(c_double) :: x(*), r
    integer(c_int), value :: n
    real(8), save :: largest
    integer :: i
    largest = x(1)
    do i = 2, n
      if (x(i) > largest) largest = x(i) * largest
    end do
    r = largest * largest
  end function
end module

program main
  use shared_state
  implicit none
  abstract interface
    function scalar(x, n) bind(C) result(r)
      import
      real(c_double) :: x(*), r
      integer(c_int), value :: n
    end function
  end interface
  integer, parameter :: n = 5
  real(8) :: x(n), d(n), e(n)
  integer :: i, wrong = 0

  x = [0.7d0, 1.1d0, 0.4d0, 1.3d0, 0.6d0]
  d = 0
  call gradient(c_funloc(common_block), x, d, n)
  call check(common_block, d)
  d = 0
  call gradient(c_funloc(module_variables), x, d, n)
  call check(module_variables, d)
  d = 0
  call gradient(c_funloc(saved), x, d, n)
  call check(saved, d)
  do i = 1, n
    e = 0
    e(i) = 1
    d(i) = tangent(c_funloc(common_block), x, e, n)
  end do
  call check(common_block, d)
  do i = 1, n
    e = 0
    e(i) = 1
    d(i) = tangent(c_funloc(module_variables), x, e, n)
  end do
  call check(module_variables, d)
  if (wrong > 0) stop 1
contains
  subroutine check(f, found)
    procedure(scalar) :: f
    real(8), intent(in) :: found(n)
    real(8) :: y(n), above, slope
    real(8), parameter :: h = 1d-6
    integer :: i
    do i = 1, n
      y = x
      y(i) = x(i) + h
      above = f(y, n)
      y(i) = x(i) - h
      slope = (above - f(y, n)) / (2 * h)
      if (abs(found(i) - slope) > 1d-6 * (1 + abs(slope))) then
        print *, i, found(i), slope
        wrong = wrong + 1
      end if
    end do
  end subroutine
end program
