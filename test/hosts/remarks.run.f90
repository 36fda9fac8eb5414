! Remarks in Fortran, at the lines of the source.
! RUN: rm -rf %t.mods && mkdir -p %t.mods
! RUN: %flang -O2 -g -module-dir %t.mods %pass -Rpass=backsweep -Rpass-missed=backsweep -c %s -o %t.o 2>&1 | FileCheck %s
! RUN: %flang -O2 -g -module-dir %t.mods %pass %s -o %t %runtime && %t
module model
contains
  subroutine march(u, s)
    real(8) :: u(12), s
    integer :: i
    ! CHECK: remarks.run.f90:[[#@LINE+1]]:{{.*}}remark: gradient: each iteration records up to {{.*}}[-Rpass-missed=backsweep]
    do i = 2, 12
      u(i) = u(i) * u(i - 1)
    end do
    s = 0
    ! CHECK: remarks.run.f90:[[#@LINE+1]]:{{.*}}remark: gradient: the loop is reversed and records nothing{{.*}}[-Rpass=backsweep]
    do i = 1, 12
      s = s + u(i) * u(i)
    end do
  end subroutine
end module

program main
  use model
  interface
    subroutine gradient(f, u, du, s, ds) bind(C, name="__backsweep_gradient_void")
      external :: f
      real(8) :: u(12), du(12), s, ds
    end subroutine
  end interface
  real(8) :: u(12) = 1, du(12) = 0, s = 0, ds = 1
  call gradient(march, u, du, s, ds)
  ! Every number is 1, so the derivative counts the terms that each is a factor of, twice.
  if (any(abs(du - [24d0, 22d0, 20d0, 18d0, 16d0, 14d0, 12d0, 10d0, 8d0, 6d0, 4d0, 2d0]) > 1d-12)) stop 1
end program
