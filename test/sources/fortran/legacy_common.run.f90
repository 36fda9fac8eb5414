! A subroutine as it was written in FORTRAN 77: a counter in COMMON behind the array that it indexes, GO TO, arithmetic IF.
! RUN: %levels %s double 0.8 1.3 0.4 2.1
module program_under_test
  use, intrinsic :: iso_c_binding
  implicit none
  integer, parameter :: dp = c_double
  interface
    subroutine legacy(u, m, s)
      import dp
      integer m
      real(dp) u(m), s
    end subroutine
  end interface
contains
  function f(x, n) result(y) bind(C)
    integer(c_int), value :: n
    real(c_double), intent(in) :: x(n)
    real(c_double) :: y
    real(dp) :: s
    call legacy(x, n, s)
    y = s + aint(x(4)) * x(3) + real(int(x(4)), dp)
  end function
end module
include 'requests.inc'
      subroutine legacy(u, m, s)
      implicit double precision (a-h, o-z)
      dimension u(m)
      common /work/ wk(50), nused
      save /work/
      nused = 0
      s = 0d0
      do 100 i = 1, m
        nused = nused + 1
        wk(nused) = u(i) * u(i)
        if (wk(nused) .gt. 3d0) go to 50
        s = s + wk(nused)
        go to 100
  50    s = s - sqrt(wk(nused))
 100  continue
      if (s) 1, 2, 3
   1  s = -s
   2  continue
   3  s = s * wk(1)
      end
