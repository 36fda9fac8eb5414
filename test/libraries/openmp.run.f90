! OpenMP as flang writes it, see openmp.run.c.
! RUN: %clang -O1 -c %S/Inputs/openmp.c -o %t.rt.o
! RUN: mkdir -p %t.mod
! RUN: %flang -O0 -Xflang -fopenmp %pass -J %t.mod %s %t.rt.o -o %t %runtime && %t
! RUN: %flang -O3 -Xflang -fopenmp %pass -J %t.mod %s %t.rt.o -o %t %runtime && %t
module work
contains
  subroutine weighted(x, y)
    real(8), intent(in) :: x(10)
    real(8), intent(out) :: y
    real(8) :: t(10)
    integer :: i
    !$omp parallel do
    do i = 1, 10
      t(i) = x(i)**2
    end do
    y = 0
    !$omp parallel do reduction(+:y)
    do i = 1, 10
      y = y + t(i)*i
    end do
  end subroutine
end module
program main
  use work
  interface
    subroutine s__enzyme_autodiff(f, x, dx, y, dy)
      interface
        subroutine f(x, y)
          real(8), intent(in) :: x(10)
          real(8), intent(out) :: y
        end subroutine
      end interface
      real(8) :: x(10), dx(10), y, dy
    end subroutine
  end interface
  real(8) :: x(10), dx(10), y, dy
  integer :: i
  x = [(0.5d0*i, i = 1, 10)]
  dx = 0
  dy = 1
  call s__enzyme_autodiff(weighted, x, dx, y, dy)
  do i = 1, 10
    if (abs(dx(i) - i*i) > 1d-12) stop 1
  end do
end program
