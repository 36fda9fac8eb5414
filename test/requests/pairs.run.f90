! Two single reals come back from flang as one double.
! RUN: %flang -O0 %pass %s -o %t %runtime && %t
! RUN: %flang -O2 %pass %s -o %t %runtime && %t
module pairs
  use iso_c_binding
  implicit none
  type, bind(C) :: pair
    real(c_float) :: a, b
  end type
  interface
    function gradient(f, x, y) bind(C, name="__backsweep_gradient_pair") result(g)
      import
      type(c_funptr), value :: f
      real(c_float), value :: x, y
      type(pair) :: g
    end function
  end interface
contains
  function f(x, y) bind(C) result(r)
    real(c_float), value :: x, y
    real(c_float) :: r
    r = x * x * y
  end function
end module

program main
  use pairs
  type(pair) :: g
  g = gradient(c_funloc(f), 2.0, 3.0)
  if (g%a /= 12 .or. g%b /= 4) stop 1
end program
