define float @rosenbrock(float %x, i32 %unused, double %y) {
  %x.wide = fpext float %x to double
  %a = fsub double 1.0, %x.wide
  %xx = fmul double %x.wide, %x.wide
  %b = fsub double %y, %xx
  %aa = fmul double %a, %a
  %bb = fmul double %b, %b
  %scaled = fmul double 100.0, %bb
  %sum = fadd double %aa, %scaled
  %v = fptrunc double %sum to float
  ret float %v
}
