! An array of a module is also passed as an argument with a shadow of its own: the derivative by the one name or the other would
! be lost, so the program ends with a message.
! RUN: mkdir -p %t.mods && %flang -O0 %pass %s -o %t %runtime -module-dir %t.mods && (%t; test $? = 70) 2>&1 | FileCheck %s
! RUN: mkdir -p %t.mods && %flang -O2 %pass %s -o %t %runtime -module-dir %t.mods && (%t; test $? = 70) 2>&1 | FileCheck %s
! CHECK: leads into an array of a module
! CHECK-SAME: [BS212]
module module_array_twice
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  real(dp), allocatable, target :: u(:)
contains
  subroutine f(x, n, y)
    integer(c_int), value :: n
    real(dp), intent(inout) :: x(n), y
    u(1) = x(2) * x(1)
    y = sum(u * x)
  end subroutine
end module
program p
  use module_array_twice
  interface
    subroutine grad(f, x, dx, n, y, dy) bind(C, name="__backsweep_gradient_void")
      use, intrinsic :: iso_c_binding
      type(c_funptr), value :: f
      integer(c_int), value :: n
      real(c_double) :: x(*), dx(*), y, dy
    end subroutine
  end interface
  real(dp) :: dx(3), y, dy
  allocate(u(3))
  u = [1, 2, 3]
  dx = 0
  dy = 1
  call grad(c_funloc(f), u, dx, n=3, y=y, dy=dy)
  print *, dx
end program
