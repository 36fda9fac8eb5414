//! What a team of one thread asks the OpenMP runtime: it has every iteration of a loop, is the first and the last, waits for
//! nobody, and adds what it has summed up to what all share.

use core::ffi::c_void;

type Place = *const c_void;

macro_rules! all_iterations {
    ($name:ident, $symbol:literal, $counter:ty, $signed:ty) => {
        #[unsafe(export_name = $symbol)]
        unsafe extern "C" fn $name(
            _place: Place,
            _thread: i32,
            _schedule: i32,
            is_last: &mut i32,
            lower: &mut $counter,
            upper: &mut $counter,
            stride: &mut $signed,
            _increment: $signed,
            _chunk: $signed,
        ) {
            *is_last = 1;
            // As far as to the next piece, of which there is none.
            *stride = upper.wrapping_sub(*lower).wrapping_add(1) as $signed;
        }
    };
}

all_iterations!(begin_4, "backsweep.body.__kmpc_for_static_init_4", i32, i32);
all_iterations!(begin_4u, "backsweep.body.__kmpc_for_static_init_4u", u32, i32);
all_iterations!(begin_8, "backsweep.body.__kmpc_for_static_init_8", i64, i64);
all_iterations!(begin_8u, "backsweep.body.__kmpc_for_static_init_8u", u64, i64);

macro_rules! nothing {
    ($name:ident, $symbol:literal $(, $operand:ty)*) => {
        #[unsafe(export_name = $symbol)]
        extern "C" fn $name(_: Place $(, _: $operand)*) {}
    };
}

nothing!(end, "backsweep.body.__kmpc_for_static_fini", i32);
nothing!(end_pieces_4, "backsweep.body.__kmpc_dispatch_fini_4", i32);
nothing!(end_pieces_4u, "backsweep.body.__kmpc_dispatch_fini_4u", i32);
nothing!(end_pieces_8, "backsweep.body.__kmpc_dispatch_fini_8", i32);
nothing!(end_pieces_8u, "backsweep.body.__kmpc_dispatch_fini_8u", i32);
nothing!(forget_pieces, "backsweep.body.__kmpc_dispatch_deinit", i32);
nothing!(barrier, "backsweep.body.__kmpc_barrier", i32);
nothing!(flush, "backsweep.body.__kmpc_flush");
nothing!(critical, "backsweep.body.__kmpc_critical", i32, Place);
nothing!(critical_with_hint, "backsweep.body.__kmpc_critical_with_hint", i32, Place, i32);
nothing!(end_critical, "backsweep.body.__kmpc_end_critical", i32, Place);
nothing!(end_single, "backsweep.body.__kmpc_end_single", i32);
nothing!(end_master, "backsweep.body.__kmpc_end_master", i32);
nothing!(end_masked, "backsweep.body.__kmpc_end_masked", i32);
nothing!(ordered, "backsweep.body.__kmpc_ordered", i32);
nothing!(end_ordered, "backsweep.body.__kmpc_end_ordered", i32);
nothing!(push_threads, "backsweep.body.__kmpc_push_num_threads", i32, i32);
nothing!(push_binding, "backsweep.body.__kmpc_push_proc_bind", i32, i32);
nothing!(push_teams, "backsweep.body.__kmpc_push_num_teams", i32, i32, i32);
nothing!(serial, "backsweep.body.__kmpc_serialized_parallel", i32);
nothing!(end_serial, "backsweep.body.__kmpc_end_serialized_parallel", i32);
nothing!(end_reduce, "backsweep.body.__kmpc_end_reduce", i32, Place);
nothing!(end_reduce_nowait, "backsweep.body.__kmpc_end_reduce_nowait", i32, Place);
nothing!(begin_group, "backsweep.body.__kmpc_taskgroup", i32);
nothing!(end_group, "backsweep.body.__kmpc_end_taskgroup", i32);
nothing!(begin_task, "backsweep.body.__kmpc_omp_task_begin_if0", i32, Place);
nothing!(end_task, "backsweep.body.__kmpc_omp_task_complete_if0", i32, Place);
nothing!(await_others, "backsweep.body.__kmpc_omp_wait_deps", i32, i32, Place, i32, Place);
nothing!(await_some, "backsweep.body.__kmpc_omp_taskwait_deps_51", i32, i32, Place, i32, Place, i32);
nothing!(copy_private, "backsweep.body.__kmpc_copyprivate", i32, usize, Place, Place, i32);

macro_rules! zero {
    ($name:ident, $symbol:literal $(, $operand:ty)*) => {
        #[unsafe(export_name = $symbol)]
        extern "C" fn $name(_: Place $(, _: $operand)*) -> i32 {
            0
        }
    };
}

zero!(await_tasks, "backsweep.body.__kmpc_omp_taskwait", i32);
zero!(yield_task, "backsweep.body.__kmpc_omp_taskyield", i32, i32);

macro_rules! yes {
    ($name:ident, $symbol:literal $(, $operand:ty)*) => {
        #[unsafe(export_name = $symbol)]
        extern "C" fn $name(_: Place $(, _: $operand)*) -> i32 {
            1
        }
    };
}

yes!(single, "backsweep.body.__kmpc_single", i32);
yes!(master, "backsweep.body.__kmpc_master", i32);
yes!(masked, "backsweep.body.__kmpc_masked", i32, i32);
yes!(reduce, "backsweep.body.__kmpc_reduce", i32, i32, usize, Place, Place, Place);
yes!(reduce_nowait, "backsweep.body.__kmpc_reduce_nowait", i32, i32, usize, Place, Place, Place);

#[unsafe(export_name = "backsweep.body.__kmpc_global_thread_num")]
extern "C" fn thread(_: Place) -> i32 {
    0
}
