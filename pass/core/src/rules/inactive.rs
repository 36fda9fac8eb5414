//! Functions known to carry no derivative, each with the reason. What stands in no list is refused when active.
//!
//! Invariant: none of them writes a float to memory, or leaves a pointer there that leads to one. What does (`fread`, `RANDOM_NUMBER`, `scanf`) is no business
//! of this list: it overwrites, and the shadow of what it overwrites must be zeroed.
//!
//! A user's own function may bear one of these names; a body in sight always counts for more than a name.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Where a symbol is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    Name(&'static str),
    /// Every symbol that starts so; used for families with open-ended names only.
    Prefix(&'static str),
    /// Everything under a path of a Rust crate, `4core9panicking`: after `_ZN` in the legacy mangling; in the v0
    /// mangling after the crate's disambiguator, which changes with every release of the library.
    RustPath(&'static str),
}

/// Functions inactive for one reason; names, prefixes and paths are words in a text.
#[derive(Clone, Copy, Debug)]
pub struct InactiveGroup {
    pub reason: &'static str,
    pub names: &'static str,
    pub prefixes: &'static str,
    pub rust_paths: &'static str,
}

/// Who is called for these reasons keeps nothing of what it is given: it makes a text of it.
const ENDINGS: [&str; 2] = [FAILURE, PANIC];
const FAILURE: &str = "ends the program or reports that it failed";
const PANIC: &str = "a Rust panic";

pub const INACTIVE: &[InactiveGroup] = &[
    InactiveGroup {
        reason: "writes text; what is printed is not differentiated",
        names: "\
            printf fprintf dprintf vprintf vfprintf puts fputs putchar fputc putc putchar_unlocked \
            fputc_unlocked fputs_unlocked putc_unlocked perror wprintf fwprintf putwchar fputwc fputws \
            __printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk __dprintf_chk __wprintf_chk syslog \
            small_printf iprintf fiprintf",
        prefixes: "",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "formats numbers as text, which carries no derivative",
        names: "\
            sprintf snprintf vsprintf vsnprintf asprintf vasprintf __sprintf_chk __snprintf_chk __vsprintf_chk \
            __vsnprintf_chk siprintf sniprintf small_sprintf",
        prefixes: "",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "copies text, which carries no derivative",
        names: "\
            strcpy strncpy strcat strncat stpcpy stpncpy strlcpy strlcat __strcpy_chk __strncpy_chk __strcat_chk \
            __strncat_chk __stpcpy_chk __stpncpy_chk",
        prefixes: "",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "opens, closes, moves in or flushes a file",
        names: "\
            fopen fopen64 fdopen freopen fclose fflush fseek fseeko ftell ftello rewind feof ferror clearerr \
            fileno setvbuf setbuf remove rename tmpfile open open64 close lseek lseek64 fsync unlink access \
            stat fstat mkdir isatty fgetc getc getchar ungetc fgets",
        prefixes: "",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "ends the program",
        names: "bs_rt_unknown_function bs_rt_no_shadow bs_rt_part_of_number",
        prefixes: "",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "keeps a derivative's tape, and looks into no record on it",
        names: "\
            bs_tape_of_thread bs_tape_mark bs_tape_release bs_rt_make_room bs_rt_put_off_open bs_rt_put_off_close \
            bs_rt_put_off bs_rt_put_off_sized bs_rt_arrays_global bs_rt_arrays_find bs_rt_arrays_make \
            bs_rt_arrays_compare bs_rt_arrays_drop bs_rt_fortran_pointer \
            backsweep.push backsweep.pop backsweep.cursor.open backsweep.cursor.load backsweep.cursor.store",
        prefixes: "",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "keeps how large the blocks are that the program may ask to grow",
        names: "bs_rt_blocks_begin bs_rt_block_made bs_rt_block_gone bs_rt_block_size bs_rt_block_room",
        prefixes: "",
        rust_paths: "",
    },
    // fwrite and write only read memory; fread and read overwrite it, and are not here.
    InactiveGroup {
        reason: "writes bytes to a file and leaves memory as it is",
        names: "fwrite fwrite_unlocked write pwrite pwrite64",
        prefixes: "",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "reads a clock",
        names: "\
            time clock clock_gettime clock_getres gettimeofday times getrusage mktime localtime localtime_r \
            gmtime gmtime_r strftime ctime asctime difftime nanosleep usleep sleep omp_get_wtime omp_get_wtick \
            MPI_Wtime MPI_Wtick _ZNSt6chrono3_V212system_clock3nowEv _ZNSt6chrono3_V212steady_clock3nowEv \
            llvm.readcyclecounter llvm.readsteadycounter _FortranACpuTime _FortranADateAndTime \
            _FortranASystemClockCount _FortranASystemClockCountRate _FortranASystemClockCountMax",
        prefixes: "",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "a source of random numbers, which depend on no input",
        names: "\
            rand srand rand_r random srandom initstate setstate drand48 erand48 lrand48 nrand48 mrand48 \
            jrand48 srand48 seed48 lcong48 arc4random arc4random_uniform _FortranARandomInit \
            _FortranARandomSeed _FortranARandomSeedSize _FortranARandomSeedDefaultPut _FortranARand \
            _FortranAIrand _ZNSt13random_device9_M_getvalEv _ZNSt13random_device16_M_getval_pretr1Ev \
            _ZNSt13random_device7_M_finiEv",
        prefixes: "",
        rust_paths: "",
    },
    InactiveGroup {
        reason: FAILURE,
        names: "\
            abort exit _exit _Exit quick_exit __assert_fail __assert __assert_rtn __assert_perror_fail \
            __stack_chk_fail __chk_fail __fortify_fail llvm.trap llvm.debugtrap llvm.ubsantrap err errx warn \
            warnx _FortranAAbort _FortranAStopStatement _FortranAStopStatementText _FortranAFailImageStatement \
            _FortranAPauseStatement _FortranAPauseStatementInt _FortranAPauseStatementText _FortranAExit \
            _FortranAProgramStart _FortranAProgramEndStatement _FortranAReportFatalUserError _ZSt9terminatev \
            __clang_call_terminate __cxa_pure_virtual __cxa_deleted_virtual rust_begin_unwind \
            __asan_handle_no_return",
        prefixes: "\
            __ubsan_handle_ _ZSt16__throw_ _ZSt17__throw_ _ZSt18__throw_ _ZSt19__throw_ _ZSt20__throw_ \
            _ZSt21__throw_ _ZSt22__throw_ _ZSt23__throw_ _ZSt24__throw_ _ZSt25__throw_ _ZSt26__throw_ \
            _ZSt27__throw_ _ZSt28__throw_ _ZSt29__throw_",
        rust_paths: "",
    },
    InactiveGroup {
        reason: PANIC,
        names: "",
        prefixes: "",
        rust_paths: "\
            4core9panicking \
            4core6option13expect_failed 4core6option13unwrap_failed 4core6result13unwrap_failed \
            4core3num9int_log1030panic_for_nonpositive_argument \
            4core5slice5index16slice_index_fail 4core5slice5index22slice_index_order_fail \
            4core5slice5index24slice_end_index_len_fail 4core5slice5index26slice_start_index_len_fail \
            4core3str16slice_error_fail 4core4cell22panic_already_borrowed \
            4core4cell30panic_already_mutably_borrowed 5alloc7raw_vec12handle_error \
            4core3num14overflow_panic 4core3num8int_sqrt27panic_for_negative_argument \
            4core3num22from_ascii_radix_panic 4core4cell4lazy14panic_poisoned \
            4core5slice4sort6shared9smallsort22panic_on_ord_violation \
            4core5slice20copy_from_slice_impl17len_mismatch_fail \
            5alloc3vecINtB6_3VecppE10insert_mut13assert_failed \
            5alloc3vecINtB6_3VecppE11swap_remove13assert_failed \
            5alloc3vecINtB6_3VecppE6remove13assert_failed 5alloc3vecINtB6_3VecppE9split_off13assert_failed \
            5alloc7raw_vec17capacity_overflow 5alloc5alloc18handle_alloc_error \
            3std4sync9lazy_lock14panic_poisoned 3std6thread5local18panic_access_error",
    },
    // Who catches it finds the value again.
    InactiveGroup {
        reason: "a Rust panic that carries a value",
        names: "rust_panic __rust_start_panic",
        prefixes: "",
        rust_paths: "3std9panicking11begin_panic 3std9panicking15panic_with_hook",
    },
    InactiveGroup {
        reason: "tells of what class an object is",
        names: "__dynamic_cast",
        prefixes: "",
        rust_paths: "",
    },
    InactiveGroup { reason: "Rust's printing", names: "", prefixes: "", rust_paths: "3std2io5stdio" },
    // What an exception carries lies in memory that is not followed: a float that is active cannot be put there. Where it is
    // thrown and caught in one copy it is kept beside it instead.
    InactiveGroup {
        reason: "leaves by an exception, which is a matter of control",
        names: "\
            backsweep.threw backsweep.caught backsweep.resume __cxa_allocate_exception \
            __cxa_begin_catch __cxa_get_exception_ptr \
            __cxa_throw __cxa_rethrow __cxa_end_catch __cxa_free_exception __cxa_call_unexpected \
            _Unwind_Resume",
        prefixes: "",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "a C++ exception, which holds a message or nothing",
        names: "",
        prefixes: "\
            _ZNSt13runtime_error _ZNSt11logic_error _ZNSt12out_of_range _ZNSt16invalid_argument \
            _ZNSt12domain_error _ZNSt12length_error _ZNSt11range_error _ZNSt14overflow_error \
            _ZNSt15underflow_error _ZNSt9exception _ZNKSt9exception _ZNSt8bad_cast _ZNKSt8bad_cast \
            _ZNSt10bad_typeid _ZNKSt10bad_typeid _ZNSt9bad_alloc _ZNKSt9bad_alloc _ZNSt20bad_array_new_length \
            _ZNKSt20bad_array_new_length _ZNSt17bad_function_call _ZNKSt17bad_function_call _ZNSt13bad_exception \
            _ZNKSt13bad_exception _ZNSt12bad_weak_ptr _ZNKSt12bad_weak_ptr",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "a C++ string: text",
        names: "",
        prefixes: "\
            _ZNSt7__cxx1112basic_stringIc _ZNKSt7__cxx1112basic_stringIc _ZNSaIcEC _ZNSaIcED \
            _ZNSt15__new_allocatorIcEC _ZNSt15__new_allocatorIcED _ZNSt7__cxx119to_stringE _ZN9__gnu_cxx12__to_xstringI",
        rust_paths: "",
    },
    // They write the number of elements at which the table grows next, and return integers.
    InactiveGroup {
        reason: "tells how large a hash table is to be, or a hash: an integer, constant between jumps",
        names: "\
            _ZNKSt8__detail20_Prime_rehash_policy14_M_need_rehashEmmm \
            _ZNKSt8__detail20_Prime_rehash_policy11_M_next_bktEm _ZSt11_Hash_bytesPKvmm \
            _ZSt15_Fnv_hash_bytesPKvmm",
        prefixes: "",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "decides whether a static local is initialised now; what it is initialised with is seen",
        names: "__cxa_guard_acquire __cxa_guard_release __cxa_guard_abort",
        prefixes: "",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "the environment of the process",
        names: "\
            __errno_location __error _errno strerror strerror_r getenv secure_getenv getpid getppid getcwd \
            atexit __cxa_atexit at_quick_exit sysconf getpagesize signal sigaction raise \
            _FortranAArgumentCount _FortranAGetCommandArgument _FortranAGetEnvVariable _FortranAGetPID \
            _FortranASetUnderflowMode _FortranAGetUnderflowMode",
        prefixes: "",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "the floating-point environment: modes and flags, no numbers",
        names: "\
            fegetround fesetround feclearexcept feraiseexcept fetestexcept fegetexceptflag fesetexceptflag \
            fegetenv fesetenv feholdexcept feupdateenv feenableexcept fedisableexcept fegetexcept \
            llvm.get.rounding llvm.set.rounding llvm.reset.fpenv llvm.reset.fpmode llvm.get.fpmode.i32 \
            llvm.get.fpenv.i256 _FortranAMapException _FortranAferaiseexcept _FortranAfeclearexcept \
            _FortranAfedisableexcept _FortranAfeenableexcept _FortranAfegetexcept _FortranAfetestexcept",
        prefixes: "llvm.set.fpmode. llvm.set.fpenv.",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "reads text and yields an integer or an address into the text",
        names: "\
            strlen strnlen strcmp strncmp strcasecmp strncasecmp strcoll strchr strrchr strstr strpbrk strspn \
            strcspn memcmp bcmp memchr memrchr rawmemchr strchrnul atoi atol atoll strtol strtoul strtoll \
            strtoull isalpha isdigit isspace isalnum isupper islower ispunct isxdigit toupper tolower \
            __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc wcslen wcscmp __isoc23_strtol \
            __isoc23_strtoul __isoc23_strtoll __isoc23_strtoull _FortranACharacterCompareScalar1 \
            _FortranALenTrim1 _FortranAIndex1",
        prefixes: "",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "a number read from text depends on no float",
        names: "atof strtod strtof strtold",
        prefixes: "",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "a truth value or class of a float, constant between jumps",
        names: "\
            isnan isnanf isnanl __isnan __isnanf __isnanl isinf isinff isinfl __isinf __isinff __isinfl finite \
            finitef finitel __finite __finitef __finitel __fpclassify __fpclassifyf __fpclassifyl __signbit \
            __signbitf __signbitl __issignaling __issignalingf __issignalingl _FortranAIsContiguous",
        prefixes: "\
            llvm.is.fpclass. llvm.experimental.constrained.fcmp. llvm.experimental.constrained.fcmps.",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "an integer, constant between jumps",
        names: "abs labs llabs div ldiv lldiv ffs ffsl ffsll",
        prefixes: "\
            llvm.fptosi.sat. llvm.fptoui.sat. llvm.experimental.constrained.fptosi. \
            llvm.experimental.constrained.fptoui. llvm.x86.sse.cvtss2si llvm.x86.sse.cvttss2si \
            llvm.x86.sse2.cvtsd2si llvm.x86.sse2.cvttsd2si llvm.x86.sse2.cvtpd2dq llvm.x86.sse2.cvttpd2dq \
            llvm.x86.sse2.cvtps2dq llvm.x86.sse2.cvttps2dq llvm.x86.avx.cvt.pd2dq. llvm.x86.avx.cvtt.pd2dq. \
            llvm.x86.avx.cvt.ps2dq. llvm.x86.avx.cvtt.ps2dq. _FortranAExponent _FortranANint _FortranAFloor \
            _FortranACeiling _FortranASelectedInt _FortranASelectedReal _FortranAModInteger \
            _FortranAModuloInteger",
        rust_paths: "4core5slice4sort6stable5drift11sqrt_approx",
    },
    // They write integers into arrays that the caller gives or frees.
    InactiveGroup {
        reason: "where something is found or how often: an integer, constant between jumps",
        names: "\
            _FortranACount _FortranACountDim _FortranAAny _FortranAAnyDim _FortranAAll _FortranAAllDim \
            _FortranAParity",
        prefixes: "_FortranAMaxloc _FortranAMinloc _FortranAFindloc",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "the shape or the bounds of an array: integers",
        names: "_FortranASize _FortranASizeDim _FortranALbound _FortranALboundDim _FortranAUbound _FortranAShape",
        prefixes: "",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "a float made from an integer, which carries no derivative",
        names: "",
        prefixes: "llvm.experimental.constrained.sitofp. llvm.experimental.constrained.uitofp.",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "integer arithmetic",
        names: "",
        prefixes: "\
            llvm.abs. llvm.smax. llvm.smin. llvm.umax. llvm.umin. llvm.scmp. llvm.ucmp. llvm.bswap. \
            llvm.bitreverse. llvm.ctpop. llvm.ctlz. llvm.cttz. llvm.fshl. llvm.fshr. llvm.sadd. llvm.uadd. \
            llvm.ssub. llvm.usub. llvm.smul. llvm.umul. llvm.sshl. llvm.ushl. llvm.sdiv.fix llvm.udiv.fix \
            llvm.vector.reduce.add. llvm.vector.reduce.mul. llvm.vector.reduce.and. llvm.vector.reduce.or. \
            llvm.vector.reduce.xor. llvm.vector.reduce.smax. llvm.vector.reduce.smin. llvm.vector.reduce.umax. \
            llvm.vector.reduce.umin. llvm.stepvector. llvm.get.active.lane.mask. llvm.vscale. \
            llvm.load.relative.",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "tells the compiler something and computes nothing",
        names: "\
            llvm.assume llvm.donothing llvm.sideeffect llvm.pseudoprobe llvm.var.annotation \
            llvm.codeview.annotation llvm.experimental.noalias.scope.decl llvm.fake.use \
            llvm.instrprof.increment llvm.instrprof.increment.step llvm.instrprof.cover",
        prefixes: "\
            llvm.dbg. llvm.lifetime. llvm.invariant. llvm.prefetch. llvm.expect. llvm.is.constant. \
            llvm.objectsize. llvm.allow. llvm.type.test llvm.public.type.test",
        rust_paths: "7___rustc35___rust_no_alloc_shim_is_unstable",
    },
    InactiveGroup {
        reason: "saves or restores the stack pointer, asks for an address of the frame or thread",
        names: "\
            llvm.returnaddress llvm.eh.typeid.for llvm.localescape pthread_self sched_yield omp_get_thread_num \
            omp_get_num_threads omp_get_max_threads omp_in_parallel omp_set_num_threads omp_get_num_procs",
        prefixes: "llvm.stacksave llvm.stackrestore llvm.frameaddress llvm.eh.typeid.for.",
        rust_paths: "",
    },
    // Input is absent: `_FortranAioInput…` overwrites floats, which is then no business of a list.
    InactiveGroup {
        reason: "Fortran output, or the begin and end of Fortran I/O",
        names: "_FortranAioEndIoStatement",
        prefixes: "\
            _FortranAioBegin _FortranAioOutput _FortranAioSet _FortranAioGet _FortranAioEnable \
            _FortranAioInquire",
        rust_paths: "",
    },
    InactiveGroup {
        reason: "C++ stream output, and the set-up of streams",
        names: "_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l",
        prefixes: "\
            _ZNSo _ZNKSo _ZStlsI _ZSt4endlI _ZSt5flushI _ZNSt9basic_iosI _ZNKSt9basic_iosI _ZNSt8ios_base \
            _ZNSt6localeC _ZNSt6localeD _ZNSt14basic_ofstreamI _ZNKSt5ctypeI",
        rust_paths: "",
    },
];

/// The list, indexed for look-up.
#[derive(Clone, Debug)]
pub struct InactiveIndex {
    names: HashMap<&'static str, &'static str>,
    prefixes: Vec<(&'static str, &'static str)>,
    rust_paths: Vec<(&'static str, &'static str)>,
}

/// Whether a function is in the list, which asks for no table of rules.
pub fn is_known_inactive(symbol: &str) -> bool {
    static INDEX: LazyLock<InactiveIndex> = LazyLock::new(InactiveIndex::new);
    INDEX.reason(symbol).is_some()
}

impl InactiveIndex {
    pub fn new() -> InactiveIndex {
        let mut index = InactiveIndex { names: HashMap::new(), prefixes: Vec::new(), rust_paths: Vec::new() };
        for group in INACTIVE {
            for pattern in group.patterns() {
                match pattern {
                    Pattern::Name(name) => {
                        index.names.insert(name, group.reason);
                    }
                    Pattern::Prefix(prefix) => index.prefixes.push((prefix, group.reason)),
                    Pattern::RustPath(path) => index.rust_paths.push((path, group.reason)),
                }
            }
        }
        index
    }

    /// The reason why that symbol is inactive, if it is known to be.
    pub fn reason(&self, symbol: &str) -> Option<&'static str> {
        let begins = |all: &[(&str, &'static str)], text: &str| {
            all.iter().find(|(start, _)| text.starts_with(start)).map(|(_, reason)| *reason)
        };
        let by_name = self.names.get(symbol).copied();
        by_name
            .or_else(|| begins(&self.prefixes, symbol))
            .or_else(|| begins(&self.rust_paths, rust_path(symbol)?))
    }

    /// Whether a symbol is that of a function which ends the program, or unwinds, with a message.
    pub fn is_ending(&self, symbol: &str) -> bool {
        self.reason(symbol).is_some_and(|reason| ENDINGS.contains(&reason))
    }
}

impl InactiveGroup {
    pub fn patterns(&self) -> impl Iterator<Item = Pattern> {
        let names = self.names.split_whitespace().map(Pattern::Name);
        let prefixes = self.prefixes.split_whitespace().map(Pattern::Prefix);
        names.chain(prefixes).chain(self.rust_paths.split_whitespace().map(Pattern::RustPath))
    }
}

impl Pattern {
    pub fn matches(self, symbol: &str) -> bool {
        match self {
            Pattern::Name(name) => symbol == name,
            Pattern::Prefix(prefix) => symbol.starts_with(prefix),
            Pattern::RustPath(path) => rust_path(symbol).is_some_and(|rest| rest.starts_with(path)),
        }
    }
}

/// What follows the start of a legacy mangled name, or the crate's disambiguator in a v0 one (`_RNvNtCs…_`).
fn rust_path(symbol: &str) -> Option<&str> {
    let v0 = || {
        let (_, from_crate) = symbol.strip_prefix("_R")?.split_once("Cs")?;
        Some(from_crate.split_once('_')?.1)
    };
    symbol.strip_prefix("_ZN").or_else(v0)
}
