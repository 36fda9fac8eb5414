! flang: bind(C) with value arguments; the function reaches the hook through c_funloc, which at -O0 goes
! through casts and a stack slot.
! DEFINE: %{level} =
! DEFINE: %{check} = mkdir -p %t.mods && %clang -c %stub -o %t.stub.o && \
! DEFINE:   %flang %{level} -module-dir %t.mods %pass %s -o %t.with %runtime && \
! DEFINE:   %flang %{level} -module-dir %t.mods %s %t.stub.o -o %t.without -lm && \
! DEFINE:   %same_primal %t.with %t.without
! REDEFINE: %{level} = -O0
! RUN: %{check}
! REDEFINE: %{level} = -O1
! RUN: %{check}
! REDEFINE: %{level} = -O2
! RUN: %{check}
! REDEFINE: %{level} = -O3
! RUN: %{check}

! flang 22 has no -Os; the day it has, the first line fails and the rest becomes a level like the others. Until then
! the size pipeline runs in opt.
! RUN: not %flang -Os -module-dir %t.mods -c %s -o %t.size.o 2>&1 | FileCheck %s --check-prefix=SIZE
! SIZE: invalid integral value 's' in '-Os'
! RUN: %flang -O0 -module-dir %t.mods -S -emit-llvm %s -o %t.ll
! RUN: %opt -passes='default<Os>' %t.ll -o %t.with.bc && %flang %t.with.bc -o %t.with %runtime
! RUN: %opt_plain -passes='default<Os>' %t.ll -o %t.without.bc && %flang %t.without.bc %t.stub.o -o %t.without -lm
! RUN: %same_primal %t.with %t.without

module branchy
  use, intrinsic :: iso_c_binding
  implicit none

  type, bind(C) :: pair
    real(c_double) :: x, y
  end type

  interface
    function gradient(f, x, y) bind(C, name="__backsweep_gradient_pair") result(g)
      import :: pair, c_funptr, c_double
      type(c_funptr), value :: f
      real(c_double), value :: x, y
      type(pair) :: g
    end function

    function tangent(f, x, dx, y, dy) bind(C, name="__backsweep_tangent") result(d)
      import :: c_funptr, c_double
      type(c_funptr), value :: f
      real(c_double), value :: x, dx, y, dy
      real(c_double) :: d
    end function
  end interface

contains

  function f(x, y) bind(C, name="branchy_f") result(v)
    real(c_double), value :: x, y
    real(c_double) :: v, a, b
    a = 1.0d0 - x
    b = y - x * x
    v = a * a + 100.0d0 * b * b
    if (b > 0.0d0) then
      v = v + sin(x * y) / (1.0d0 + y * y)
    else
      v = v * exp(-0.5d0 * x) + (1.5d0 + y * y) ** x
    end if
  end function

  function analytic(x, y) result(g)
    real(c_double), intent(in) :: x, y
    type(pair) :: g
    real(c_double) :: a, b, v, d, e, p, base
    a = 1.0d0 - x
    b = y - x * x
    v = a * a + 100.0d0 * b * b
    g%x = -2.0d0 * a - 400.0d0 * b * x
    g%y = 200.0d0 * b
    if (b > 0.0d0) then
      d = 1.0d0 + y * y
      g%x = g%x + y * cos(x * y) / d
      g%y = g%y + x * cos(x * y) / d - 2.0d0 * y * sin(x * y) / (d * d)
    else
      e = exp(-0.5d0 * x)
      base = 1.5d0 + y * y
      p = base ** x
      g%x = g%x * e - 0.5d0 * v * e + p * log(base)
      g%y = g%y * e + p * x / base * 2.0d0 * y
    end if
  end function

  subroutine compare(what, found, expected, failures)
    character(*), intent(in) :: what
    real(c_double), intent(in) :: found, expected
    integer, intent(inout) :: failures
    ! Written so that a NaN differs too.
    if (.not. (abs(found - expected) <= 5d-13 * max(1.0d0, abs(expected)))) then
      print *, what, ': found', found, 'expected', expected
      failures = failures + 1
    end if
  end subroutine

end module

program host
  use branchy
  implicit none
  ! volatile: a compiler that knew the points could compute the whole test by itself.
  real(c_double), volatile :: xs(5), ys(5)
  integer :: i, failures

  xs = [-1.2d0, 0.5d0, 2.0d0, -0.75d0, 1.0d0 / 3.0d0]
  ys = [1.0d0, 0.75d0, 0.25d0, 1.75d0, -0.6d0]

  if (command_argument_count() > 0) then
    do i = 1, 5
      print '(Z16.16)', f(xs(i), ys(i))
    end do
    stop
  end if

  failures = 0
  do i = 1, 5
    call check(xs(i), ys(i))
  end do
  if (failures /= 0) stop 1

contains

  subroutine check(x, y)
    real(c_double), intent(in) :: x, y
    type(pair) :: found, expected
    expected = analytic(x, y)
    found = gradient(c_funloc(f), x, y)
    call compare('reverse d/dx', found%x, expected%x, failures)
    call compare('reverse d/dy', found%y, expected%y, failures)
    call compare('forward d/dx', tangent(c_funloc(f), x, 1.0d0, y, 0.0d0), expected%x, failures)
    call compare('forward d/dy', tangent(c_funloc(f), x, 0.0d0, y, 1.0d0), expected%y, failures)
  end subroutine

end program
