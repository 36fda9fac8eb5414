! An internal procedure that uses variables of its host is no function by itself; the message names it and says what to do.
! RUN: mkdir -p %t.mods
! RUN: %refused %t.o %flang -g -O0 -module-dir %t.mods %pass -c %s | FileCheck %s
! RUN: %refused %t.o %flang -g -O2 -module-dir %t.mods %pass -c %s | FileCheck %s
subroutine request(weight, x, dx)
  implicit none
  interface
    subroutine gradient(f, x, dx) bind(C, name="__backsweep_gradient_host")
      interface
        function f(x) result(y)
          real(8), intent(in) :: x
          real(8) :: y
        end function
      end interface
      real(8), intent(in) :: x
      real(8), intent(inout) :: dx
    end subroutine
  end interface
  real(8), intent(in) :: weight, x
  real(8), intent(inout) :: dx
  ! CHECK: host.reject.f90:[[@LINE+1]]:{{[0-9]+}}: {{.*}}is the internal procedure `{{.*}}cost` together with the variables of its host that it uses; declare these variables in a module, or pass them as arguments [BS001]
  call gradient(cost, x, dx)
contains
  function cost(x) result(y)
    real(8), intent(in) :: x
    real(8) :: y
    y = weight * x**2
  end function
end subroutine
