! A FINAL procedure that takes an array as a whole is not called by what takes objects one by one: it is refused, not left out.
! RUN: mkdir -p %t.mods
! RUN: %refused %t.o %flang -g -O0 -module-dir %t.mods %pass -c %s | FileCheck %s
! RUN: %refused %t.o %flang -g -O2 -module-dir %t.mods %pass -c %s | FileCheck %s
module model
  use, intrinsic :: iso_c_binding
  implicit none
  real(c_double) :: spent = 0
  type :: cell
    real(c_double) :: w = 0
  contains
    final :: cells_done
  end type
contains
  subroutine cells_done(this)
    type(cell), intent(inout) :: this(:)
    spent = spent + sum(this%w)
  end subroutine
  ! CHECK: array_finals.reject.f90:[[@LINE+1]]:{{[0-9]+}}: {{.*}}backsweep: {{.*}}FINAL procedures that take arrays{{.*}}[BS020]
  subroutine work(x)
    real(c_double), intent(in) :: x
    type(cell) :: cells(2)
    cells%w = [x, x * x]
  end subroutine
  function f(x) bind(C) result(y)
    real(c_double), value :: x
    real(c_double) :: y
    spent = 0
    call work(x)
    y = spent
  end function
end module
function request(x) bind(C) result(d)
  use model
  interface
    function gradient(f, x) bind(C, name="__backsweep_gradient") result(d)
      import :: c_funptr, c_double
      type(c_funptr), value :: f
      real(c_double), value :: x
      real(c_double) :: d
    end function
  end interface
  real(c_double), value :: x
  real(c_double) :: d
  d = gradient(c_funloc(f), x)
end function
