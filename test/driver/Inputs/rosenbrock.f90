module test_functions
contains
  function Rosenbrock(X, y) result(v)
    real(8), value :: x, y
    real(8) :: v
    v = (1.0d0 - x)**2 + 100.0d0 * (y - x * x)**2
  end function
end module
