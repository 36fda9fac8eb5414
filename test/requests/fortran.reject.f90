! A request that names a function without a body is refused by flang too, at its line.
! RUN: mkdir -p %t.mods
! RUN: %refused %t.o %flang -g -O0 -module-dir %t.mods %pass -c %s | FileCheck %s
! RUN: %refused %t.o %flang -g -O2 -module-dir %t.mods %pass -c %s | FileCheck %s
function request(x) bind(C) result(d)
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    function elsewhere(x) bind(C) result(y)
      import :: c_double
      real(c_double), value :: x
      real(c_double) :: y
    end function
    function gradient(f, x) bind(C, name="__backsweep_gradient") result(d)
      import :: c_funptr, c_double
      type(c_funptr), value :: f
      real(c_double), value :: x
      real(c_double) :: d
    end function
  end interface
  real(c_double), value :: x
  real(c_double) :: d
  ! CHECK: fortran.reject.f90:[[@LINE+1]]:{{[0-9]+}}: {{.*}}backsweep: {{.*}}elsewhere
  d = gradient(c_funloc(elsewhere), x)
end function
