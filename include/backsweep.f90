! backsweep: derivatives of Fortran functions, for flang 22 with the Backsweep plugin (`backsweep fc`).
!
!     use backsweep
!     ...
!     function cost(x) result(y)                 ! assumed shape, of rank 0 to 3, intent(in)
!       real(real64), intent(in) :: x(:)
!       real(real64) :: y
!     ...
!     dx = 0
!     call gradient(cost, x, dx)                 ! dx = dx + the gradient
!     y = value_and_gradient(cost, bs_primal_return, x, dx)
!     dy = tangent(cost, x, v)                   ! the derivative in the direction v
!
! A function of an array of explicit size gets that size after the word that says it is not differentiated:
!
!     function cost(x, n) result(y)              ! real(real64), intent(in) :: x(n)
!     call gradient(cost, x, dx, bs_const, n)
!
! A subroutine that leaves its results in an array is differentiated with the derivatives of these results, which
! `gradient` uses up and `push_forward` computes:
!
!     subroutine model(x, y)                     ! x(:) intent(in), y(:) intent(inout)
!     call gradient(model, x, dx, y, dy)         ! dx = dx + (transposed Jacobian) dy; dy = 0
!     call push_forward(model, x, dx, y, dy)     ! dy = Jacobian dx
!
! real32 and real64. dx and v have the shape of x, dy that of y. The procedure is a module procedure or an external one; an
! internal one that uses variables of its host is refused.
!
! OTHER INTERFACES. The plugin knows a hook by its name, which has to contain `__backsweep_gradient` or
! `__backsweep_tangent`. The first argument is the procedure; every other argument is followed by its derivative, or has
! `bs_const` before it. Declare an interface as below, with the arguments that your procedure has. Arrays of
! assumed shape are CONTIGUOUS there, because an array and its derivative have to lie in memory in the same way.
!
! Nothing here is ever linked: the plugin replaces the calls.
module backsweep
  use, intrinsic :: iso_c_binding, only: c_int
  use, intrinsic :: iso_fortran_env, only: real32, real64
  implicit none
  private
  public :: gradient, value_and_gradient, tangent, push_forward, bs_const, bs_primal_return, backsweep_token

  type, bind(C) :: backsweep_token
    integer(c_int) :: token
  end type

  type(backsweep_token), bind(C, name="bs_const") :: bs_const
  type(backsweep_token), bind(C, name="bs_primal_return") :: bs_primal_return

  ! What can be differentiated.
  abstract interface
    function function_r4_0(x) result(y)
      import :: real32
      real(real32), intent(in) :: x
      real(real32) :: y
    end function
    function function_r4_1(x) result(y)
      import :: real32
      real(real32), intent(in) :: x(:)
      real(real32) :: y
    end function
    function function_r4_2(x) result(y)
      import :: real32
      real(real32), intent(in) :: x(:, :)
      real(real32) :: y
    end function
    function function_r4_3(x) result(y)
      import :: real32
      real(real32), intent(in) :: x(:, :, :)
      real(real32) :: y
    end function
    function function_r4_n(x, n) result(y)
      import :: real32
      integer, intent(in) :: n
      real(real32), intent(in) :: x(n)
      real(real32) :: y
    end function
    subroutine subroutine_r4(x, y)
      import :: real32
      real(real32), intent(in) :: x(:)
      real(real32), intent(inout) :: y(:)
    end subroutine
    function function_r8_0(x) result(y)
      import :: real64
      real(real64), intent(in) :: x
      real(real64) :: y
    end function
    function function_r8_1(x) result(y)
      import :: real64
      real(real64), intent(in) :: x(:)
      real(real64) :: y
    end function
    function function_r8_2(x) result(y)
      import :: real64
      real(real64), intent(in) :: x(:, :)
      real(real64) :: y
    end function
    function function_r8_3(x) result(y)
      import :: real64
      real(real64), intent(in) :: x(:, :, :)
      real(real64) :: y
    end function
    function function_r8_n(x, n) result(y)
      import :: real64
      integer, intent(in) :: n
      real(real64), intent(in) :: x(n)
      real(real64) :: y
    end function
    subroutine subroutine_r8(x, y)
      import :: real64
      real(real64), intent(in) :: x(:)
      real(real64), intent(inout) :: y(:)
    end subroutine
  end interface

  interface gradient
    subroutine bs__backsweep_gradient_r4_0(f, x, dx)
      import :: real32, function_r4_0
      procedure(function_r4_0) :: f
      real(real32), intent(in) :: x
      real(real32), intent(inout) :: dx
    end subroutine
    subroutine bs__backsweep_gradient_r4_1(f, x, dx)
      import :: real32, function_r4_1
      procedure(function_r4_1) :: f
      real(real32), intent(in), contiguous :: x(:)
      real(real32), intent(inout), contiguous :: dx(:)
    end subroutine
    subroutine bs__backsweep_gradient_r4_2(f, x, dx)
      import :: real32, function_r4_2
      procedure(function_r4_2) :: f
      real(real32), intent(in), contiguous :: x(:, :)
      real(real32), intent(inout), contiguous :: dx(:, :)
    end subroutine
    subroutine bs__backsweep_gradient_r4_3(f, x, dx)
      import :: real32, function_r4_3
      procedure(function_r4_3) :: f
      real(real32), intent(in), contiguous :: x(:, :, :)
      real(real32), intent(inout), contiguous :: dx(:, :, :)
    end subroutine
    subroutine bs__backsweep_gradient_r4_n(f, x, dx, token, n)
      import :: real32, function_r4_n, backsweep_token
      procedure(function_r4_n) :: f
      integer, intent(in) :: n
      real(real32), intent(in) :: x(n)
      real(real32), intent(inout) :: dx(n)
      type(backsweep_token), intent(in) :: token
    end subroutine
    subroutine bs__backsweep_gradient_r4_s(f, x, dx, y, dy)
      import :: real32, subroutine_r4
      procedure(subroutine_r4) :: f
      real(real32), intent(in), contiguous :: x(:)
      real(real32), intent(inout), contiguous :: dx(:), y(:), dy(:)
    end subroutine
    subroutine bs__backsweep_gradient_r8_0(f, x, dx)
      import :: real64, function_r8_0
      procedure(function_r8_0) :: f
      real(real64), intent(in) :: x
      real(real64), intent(inout) :: dx
    end subroutine
    subroutine bs__backsweep_gradient_r8_1(f, x, dx)
      import :: real64, function_r8_1
      procedure(function_r8_1) :: f
      real(real64), intent(in), contiguous :: x(:)
      real(real64), intent(inout), contiguous :: dx(:)
    end subroutine
    subroutine bs__backsweep_gradient_r8_2(f, x, dx)
      import :: real64, function_r8_2
      procedure(function_r8_2) :: f
      real(real64), intent(in), contiguous :: x(:, :)
      real(real64), intent(inout), contiguous :: dx(:, :)
    end subroutine
    subroutine bs__backsweep_gradient_r8_3(f, x, dx)
      import :: real64, function_r8_3
      procedure(function_r8_3) :: f
      real(real64), intent(in), contiguous :: x(:, :, :)
      real(real64), intent(inout), contiguous :: dx(:, :, :)
    end subroutine
    subroutine bs__backsweep_gradient_r8_n(f, x, dx, token, n)
      import :: real64, function_r8_n, backsweep_token
      procedure(function_r8_n) :: f
      integer, intent(in) :: n
      real(real64), intent(in) :: x(n)
      real(real64), intent(inout) :: dx(n)
      type(backsweep_token), intent(in) :: token
    end subroutine
    subroutine bs__backsweep_gradient_r8_s(f, x, dx, y, dy)
      import :: real64, subroutine_r8
      procedure(subroutine_r8) :: f
      real(real64), intent(in), contiguous :: x(:)
      real(real64), intent(inout), contiguous :: dx(:), y(:), dy(:)
    end subroutine
  end interface

  interface value_and_gradient
    function bs__backsweep_gradient_value_r4_0(f, token, x, dx) result(y)
      import :: real32, function_r4_0, backsweep_token
      procedure(function_r4_0) :: f
      type(backsweep_token), intent(in) :: token
      real(real32), intent(in) :: x
      real(real32), intent(inout) :: dx
      real(real32) :: y
    end function
    function bs__backsweep_gradient_value_r4_1(f, token, x, dx) result(y)
      import :: real32, function_r4_1, backsweep_token
      procedure(function_r4_1) :: f
      type(backsweep_token), intent(in) :: token
      real(real32), intent(in), contiguous :: x(:)
      real(real32), intent(inout), contiguous :: dx(:)
      real(real32) :: y
    end function
    function bs__backsweep_gradient_value_r4_2(f, token, x, dx) result(y)
      import :: real32, function_r4_2, backsweep_token
      procedure(function_r4_2) :: f
      type(backsweep_token), intent(in) :: token
      real(real32), intent(in), contiguous :: x(:, :)
      real(real32), intent(inout), contiguous :: dx(:, :)
      real(real32) :: y
    end function
    function bs__backsweep_gradient_value_r4_3(f, token, x, dx) result(y)
      import :: real32, function_r4_3, backsweep_token
      procedure(function_r4_3) :: f
      type(backsweep_token), intent(in) :: token
      real(real32), intent(in), contiguous :: x(:, :, :)
      real(real32), intent(inout), contiguous :: dx(:, :, :)
      real(real32) :: y
    end function
    function bs__backsweep_gradient_value_r4_n(f, token, x, dx, token_n, n) result(y)
      import :: real32, function_r4_n, backsweep_token
      procedure(function_r4_n) :: f
      type(backsweep_token), intent(in) :: token, token_n
      integer, intent(in) :: n
      real(real32), intent(in) :: x(n)
      real(real32), intent(inout) :: dx(n)
      real(real32) :: y
    end function
    function bs__backsweep_gradient_value_r8_0(f, token, x, dx) result(y)
      import :: real64, function_r8_0, backsweep_token
      procedure(function_r8_0) :: f
      type(backsweep_token), intent(in) :: token
      real(real64), intent(in) :: x
      real(real64), intent(inout) :: dx
      real(real64) :: y
    end function
    function bs__backsweep_gradient_value_r8_1(f, token, x, dx) result(y)
      import :: real64, function_r8_1, backsweep_token
      procedure(function_r8_1) :: f
      type(backsweep_token), intent(in) :: token
      real(real64), intent(in), contiguous :: x(:)
      real(real64), intent(inout), contiguous :: dx(:)
      real(real64) :: y
    end function
    function bs__backsweep_gradient_value_r8_2(f, token, x, dx) result(y)
      import :: real64, function_r8_2, backsweep_token
      procedure(function_r8_2) :: f
      type(backsweep_token), intent(in) :: token
      real(real64), intent(in), contiguous :: x(:, :)
      real(real64), intent(inout), contiguous :: dx(:, :)
      real(real64) :: y
    end function
    function bs__backsweep_gradient_value_r8_3(f, token, x, dx) result(y)
      import :: real64, function_r8_3, backsweep_token
      procedure(function_r8_3) :: f
      type(backsweep_token), intent(in) :: token
      real(real64), intent(in), contiguous :: x(:, :, :)
      real(real64), intent(inout), contiguous :: dx(:, :, :)
      real(real64) :: y
    end function
    function bs__backsweep_gradient_value_r8_n(f, token, x, dx, token_n, n) result(y)
      import :: real64, function_r8_n, backsweep_token
      procedure(function_r8_n) :: f
      type(backsweep_token), intent(in) :: token, token_n
      integer, intent(in) :: n
      real(real64), intent(in) :: x(n)
      real(real64), intent(inout) :: dx(n)
      real(real64) :: y
    end function
  end interface

  interface tangent
    function bs__backsweep_tangent_r4_0(f, x, v) result(dy)
      import :: real32, function_r4_0
      procedure(function_r4_0) :: f
      real(real32), intent(in) :: x, v
      real(real32) :: dy
    end function
    function bs__backsweep_tangent_r4_1(f, x, v) result(dy)
      import :: real32, function_r4_1
      procedure(function_r4_1) :: f
      real(real32), intent(in), contiguous :: x(:), v(:)
      real(real32) :: dy
    end function
    function bs__backsweep_tangent_r4_2(f, x, v) result(dy)
      import :: real32, function_r4_2
      procedure(function_r4_2) :: f
      real(real32), intent(in), contiguous :: x(:, :), v(:, :)
      real(real32) :: dy
    end function
    function bs__backsweep_tangent_r4_3(f, x, v) result(dy)
      import :: real32, function_r4_3
      procedure(function_r4_3) :: f
      real(real32), intent(in), contiguous :: x(:, :, :), v(:, :, :)
      real(real32) :: dy
    end function
    function bs__backsweep_tangent_r4_n(f, x, v, token, n) result(dy)
      import :: real32, function_r4_n, backsweep_token
      procedure(function_r4_n) :: f
      integer, intent(in) :: n
      real(real32), intent(in) :: x(n), v(n)
      type(backsweep_token), intent(in) :: token
      real(real32) :: dy
    end function
    function bs__backsweep_tangent_r8_0(f, x, v) result(dy)
      import :: real64, function_r8_0
      procedure(function_r8_0) :: f
      real(real64), intent(in) :: x, v
      real(real64) :: dy
    end function
    function bs__backsweep_tangent_r8_1(f, x, v) result(dy)
      import :: real64, function_r8_1
      procedure(function_r8_1) :: f
      real(real64), intent(in), contiguous :: x(:), v(:)
      real(real64) :: dy
    end function
    function bs__backsweep_tangent_r8_2(f, x, v) result(dy)
      import :: real64, function_r8_2
      procedure(function_r8_2) :: f
      real(real64), intent(in), contiguous :: x(:, :), v(:, :)
      real(real64) :: dy
    end function
    function bs__backsweep_tangent_r8_3(f, x, v) result(dy)
      import :: real64, function_r8_3
      procedure(function_r8_3) :: f
      real(real64), intent(in), contiguous :: x(:, :, :), v(:, :, :)
      real(real64) :: dy
    end function
    function bs__backsweep_tangent_r8_n(f, x, v, token, n) result(dy)
      import :: real64, function_r8_n, backsweep_token
      procedure(function_r8_n) :: f
      integer, intent(in) :: n
      real(real64), intent(in) :: x(n), v(n)
      type(backsweep_token), intent(in) :: token
      real(real64) :: dy
    end function
  end interface

  interface push_forward
    subroutine bs__backsweep_tangent_r4_s(f, x, dx, y, dy)
      import :: real32, subroutine_r4
      procedure(subroutine_r4) :: f
      real(real32), intent(in), contiguous :: x(:), dx(:)
      real(real32), intent(inout), contiguous :: y(:), dy(:)
    end subroutine
    subroutine bs__backsweep_tangent_r8_s(f, x, dx, y, dy)
      import :: real64, subroutine_r8
      procedure(subroutine_r8) :: f
      real(real64), intent(in), contiguous :: x(:), dx(:)
      real(real64), intent(inout), contiguous :: y(:), dy(:)
    end subroutine
  end interface

end module
