! A pointer of a module that a derivative allocates: the next derivative finds it, and the program can deallocate it.
! RUN: mkdir -p %t.mods && %flang -O0 %pass %s -o %t %runtime -module-dir %t.mods && %t | FileCheck %s
! RUN: mkdir -p %t.mods && %flang -O2 %pass %s -o %t %runtime -module-dir %t.mods && %t | FileCheck %s
! CHECK: 3. 12. 27.
! CHECK: 6. 24. 54.
! CHECK: F
module pointer_made_inside
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  real(dp), pointer :: u(:) => null()
contains
  subroutine f(x, n, y)
    integer(c_int), value :: n
    real(dp), intent(inout) :: x(n), y
    if (.not. associated(u)) allocate(u(n))
    u = x**2
    y = sum(u * x)
  end subroutine
end module
program p
  use pointer_made_inside
  interface
    subroutine grad(f, x, dx, n, y, dy) bind(C, name="__backsweep_gradient_void")
      use, intrinsic :: iso_c_binding
      type(c_funptr), value :: f
      integer(c_int), value :: n
      real(c_double) :: x(*), dx(*), y, dy
    end subroutine
  end interface
  real(dp) :: x(3), dx(3), y, dy
  x = [1, 2, 3]
  dx = 0
  dy = 1
  call grad(c_funloc(f), x, dx, n=3, y=y, dy=dy)
  print *, dx
  dy = 1
  call grad(c_funloc(f), x, dx, n=3, y=y, dy=dy)
  print *, dx
  deallocate(u)
  print *, associated(u)
end program
