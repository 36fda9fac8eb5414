! Two single reals travel as one double; a hook that is declared to return a double is not read as two of them.
! RUN: mkdir -p %t.mods
! RUN: %refused %t.o %flang -g -O0 -module-dir %t.mods %pass -c %s | FileCheck %s
! RUN: %refused %t.o %flang -g -O2 -module-dir %t.mods %pass -c %s | FileCheck %s
module pairs
  use iso_c_binding
  implicit none
  interface
    function gradient(f, x, y) bind(C, name="__backsweep_gradient") result(g)
      import
      type(c_funptr), value :: f
      real(c_float), value :: x, y
      real(c_double) :: g
    end function
  end interface
contains
  function f(x, y) bind(C) result(r)
    real(c_float), value :: x, y
    real(c_float) :: r
    r = x * x * y
  end function

  function request(x, y) result(d)
    real(c_float), intent(in) :: x, y
    real(c_double) :: d
    ! CHECK: pairs.reject.f90:[[@LINE+1]]:{{.*}}mismatched return type: the hook is declared to return a double; expected the derivative of
    d = gradient(c_funloc(f), x, y)
  end function
end module
