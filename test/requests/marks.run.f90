! Marks as Fortran names them: variables of a module, and common blocks; and a hook whose result is kept and never read.
! RUN: mkdir -p %t.mods && %flang -O0 -module-dir %t.mods %pass %s -o %t %runtime && %t
! RUN: %flang -O2 -g -module-dir %t.mods %pass %s -o %t %runtime && %t
module marks
  integer :: enzyme_dup, enzyme_const
end module

module functions
  implicit none
contains
  real(8) function norm(x, s, n)
    integer, intent(in) :: n
    real(8), intent(in) :: x(n), s
    norm = s * sum(x**2)
  end function
end module

subroutine of_module(x, dx)
  use marks
  use functions
  implicit none
  real(8) :: x(2), dx(2), unread
  real(8), external :: norm__enzyme_autodiff
  unread = norm__enzyme_autodiff(norm, enzyme_dup, x, dx, enzyme_const, 3d0, enzyme_const, 2)
end subroutine

subroutine of_common(x, dx, s, ds)
  use functions
  implicit none
  real(8) :: x(2), dx(2), s, ds
  integer :: dup, const
  common /enzyme_dup/ dup
  common /enzyme_const/ const
  external :: norms__enzyme_autodiff
  call norms__enzyme_autodiff(norm, dup, x, dx, dup, s, ds, const, 2)
end subroutine

program main
  implicit none
  real(8) :: x(2) = [1d0, 2d0], dx(2), ds
  dx = 0
  call of_module(x, dx)
  if (any(abs(dx - [6d0, 12d0]) > 1d-12)) stop 1
  dx = 0
  ds = 0
  call of_common(x, dx, 2d0, ds)
  if (any(abs(dx - [4d0, 8d0]) > 1d-12) .or. abs(ds - 5) > 1d-12) stop 2
end program
