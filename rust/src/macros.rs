//! Macros over the hooks, for functions with other arguments than those of this crate's functions take. Each argument is written with
//! what it is, and the token and the parts that the hook wants are put in.

/// Reverse mode for a function with any arguments: `gradient!(f, slice x => dx, out a, constant n)`.
///
/// | argument | the function takes | what happens to it |
/// |---|---|---|
/// | `slice x => dx` | `&[f64]` | derivatives are added to `dx`, which is as long |
/// | `slice_mut y => dy` | `&mut [f64]` | `dy` has the derivatives by what is left in `y`, and gets those by what was there |
/// | `noneed y => dy` | `&mut [f64]` | the same; what is left in `y` is not looked at afterwards |
/// | `data x` | a slice | not differentiated |
/// | `dup p => dp` | a pointer or reference | derivatives are added behind `dp` |
/// | `out a` | `f64` | its derivative is returned |
/// | `constant n` | one value | not differentiated |
/// | `seed s` | (behind the arguments) | what the result's derivative is, 1 where nothing is said |
/// | `primal` | (before the arguments) | the function's value is returned |
///
/// ```ignore
/// fn misfit(k: &[f64], time: &[f64], scale: f64, steps: usize) -> f64 { … }
/// let mut dk = vec![0.0; k.len()];
/// let value = unsafe { backsweep::gradient!(misfit, primal, slice k => dk, data time, constant scale, constant steps) };
/// ```
///
/// # Safety
///
/// What is written here has to be what the function takes: the plugin refuses what does not fit, as far as it can tell. A function that
/// returns nothing needs [`gradient_void!`](crate::gradient_void).
#[macro_export]
macro_rules! gradient {
    ($f:expr, $($arguments:tt)+) => {
        $crate::call_hook!($crate::hooks::__backsweep_gradient, ($f as *const u8); $($arguments)+)
    };
}

/// [`gradient!`](crate::gradient) for a function that returns nothing: its results are in slices, whose `=> dy` have the seeds.
#[macro_export]
macro_rules! gradient_void {
    ($f:expr, $($arguments:tt)+) => {
        $crate::call_hook!($crate::hooks::__backsweep_gradient_void, ($f as *const u8); $($arguments)+)
    };
}

/// Forward mode, with the arguments of [`gradient!`](crate::gradient): what stands behind `=>` is the direction. A number is `along a => da`.
#[macro_export]
macro_rules! tangent {
    ($f:expr, $($arguments:tt)+) => {
        $crate::call_hook!($crate::hooks::__backsweep_tangent, ($f as *const u8); $($arguments)+)
    };
}

/// Takes one argument after the other from behind the semicolon, and puts what the hook takes for it before.
#[doc(hidden)]
#[macro_export]
macro_rules! call_hook {
    ($hook:path, ($($done:expr),*);) => { $hook($($done),*) };
    ($hook:path, ($($done:expr),*); slice $x:expr => $dx:expr $(, $($rest:tt)*)?) => {
        $crate::call_hook!($hook, ($($done,)* $crate::hooks::bs_dup, $x.as_ptr(), $crate::shadow_of!($x, $dx), $crate::hooks::bs_const, $x.len());
            $($($rest)*)?)
    };
    ($hook:path, ($($done:expr),*); slice_mut $x:expr => $dx:expr $(, $($rest:tt)*)?) => {
        $crate::call_hook!($hook, ($($done,)* $crate::hooks::bs_dup, $x.as_mut_ptr(), $crate::shadow_of!($x, $dx), $crate::hooks::bs_const,
            $x.len()); $($($rest)*)?)
    };
    ($hook:path, ($($done:expr),*); noneed $x:expr => $dx:expr $(, $($rest:tt)*)?) => {
        $crate::call_hook!($hook, ($($done,)* $crate::hooks::bs_dup_noneed, $x.as_mut_ptr(), $crate::shadow_of!($x, $dx), $crate::hooks::bs_const,
            $x.len()); $($($rest)*)?)
    };
    ($hook:path, ($($done:expr),*); data $x:expr $(, $($rest:tt)*)?) => {
        $crate::call_hook!($hook, ($($done,)* $crate::hooks::bs_const, $x.as_ptr(), $crate::hooks::bs_const, $x.len()); $($($rest)*)?)
    };
    ($hook:path, ($($done:expr),*); dup $x:expr => $dx:expr $(, $($rest:tt)*)?) => {
        $crate::call_hook!($hook, ($($done,)* $crate::hooks::bs_dup, $x, $dx); $($($rest)*)?)
    };
    ($hook:path, ($($done:expr),*); along $x:expr => $dx:expr $(, $($rest:tt)*)?) => {
        $crate::call_hook!($hook, ($($done,)* $crate::hooks::bs_dup, $x, $dx); $($($rest)*)?)
    };
    ($hook:path, ($($done:expr),*); out $x:expr $(, $($rest:tt)*)?) => {
        $crate::call_hook!($hook, ($($done,)* $crate::hooks::bs_out, $x); $($($rest)*)?)
    };
    ($hook:path, ($($done:expr),*); constant $x:expr $(, $($rest:tt)*)?) => {
        $crate::call_hook!($hook, ($($done,)* $crate::hooks::bs_const, $x); $($($rest)*)?)
    };
    ($hook:path, ($($done:expr),*); seed $x:expr $(, $($rest:tt)*)?) => {
        $crate::call_hook!($hook, ($($done,)* $crate::hooks::bs_seed, $x); $($($rest)*)?)
    };
    ($hook:path, ($($done:expr),*); primal $(, $($rest:tt)*)?) => {
        $crate::call_hook!($hook, ($($done,)* $crate::hooks::bs_primal_return); $($($rest)*)?)
    };
}

/// The address of the derivatives of a slice, which are as many as it has numbers.
#[doc(hidden)]
#[macro_export]
macro_rules! shadow_of {
    ($x:expr, $dx:expr) => {{
        let (numbers, derivatives) = ($x.len(), $dx.len());
        assert!(numbers == derivatives, "{numbers} numbers are given with {derivatives} derivatives");
        $dx.as_mut_ptr()
    }};
}
