//! Functions known to carry no derivative, each with the reason. Whatever stands in no list is refused when active.
//!
//! Invariant: none of them writes a float to memory. What does (`fread`, `RANDOM_NUMBER`, `scanf`) is no business
//! of this list: it overwrites, and the shadow of what it overwrites must be zeroed.
//!
//! A user's own function may bear one of these names; a body in sight always counts for more than a name.

use std::collections::HashMap;

/// Where a symbol is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    Name(&'static str),
    /// Every symbol that starts so; used for families with open-ended names only.
    Prefix(&'static str),
}

/// Functions inactive for one reason; symbols and prefixes are words in a text.
#[derive(Clone, Copy, Debug)]
pub struct InactiveGroup {
    pub reason: &'static str,
    pub names: &'static str,
    pub prefixes: &'static str,
}

pub const INACTIVE: &[InactiveGroup] = &[
    InactiveGroup {
        reason: "writes text; what is printed is not differentiated",
        names: "\
            printf fprintf dprintf vprintf vfprintf puts fputs putchar fputc putc putchar_unlocked \
            fputc_unlocked fputs_unlocked putc_unlocked perror wprintf fwprintf putwchar fputwc fputws \
            __printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk __dprintf_chk __wprintf_chk syslog \
            small_printf iprintf fiprintf",
        prefixes: "",
    },
    InactiveGroup {
        reason: "formats numbers as text, which carries no derivative",
        names: "\
            sprintf snprintf vsprintf vsnprintf asprintf vasprintf __sprintf_chk __snprintf_chk __vsprintf_chk \
            __vsnprintf_chk siprintf sniprintf small_sprintf",
        prefixes: "",
    },
    InactiveGroup {
        reason: "opens, closes, moves in or flushes a file",
        names: "\
            fopen fopen64 fdopen freopen fclose fflush fseek fseeko ftell ftello rewind feof ferror clearerr \
            fileno setvbuf setbuf remove rename tmpfile open open64 close lseek lseek64 fsync unlink access stat \
            fstat mkdir isatty fgetc getc getchar ungetc fgets",
        prefixes: "",
    },
    // fwrite and write only read memory; fread and read overwrite it, and are not here.
    InactiveGroup {
        reason: "writes bytes to a file and leaves memory as it is",
        names: "fwrite fwrite_unlocked write pwrite pwrite64",
        prefixes: "",
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
    },
    InactiveGroup {
        reason: "a source of random numbers, which depend on no input",
        names: "\
            rand srand rand_r random srandom initstate setstate drand48 erand48 lrand48 nrand48 mrand48 jrand48 \
            srand48 seed48 lcong48 arc4random arc4random_uniform _FortranARandomInit \
            _FortranARandomSeed _FortranARandomSeedSize _FortranARandomSeedDefaultPut _FortranARand \
            _FortranAIrand _ZNSt13random_device9_M_getvalEv _ZNSt13random_device16_M_getval_pretr1Ev \
            _ZNSt13random_device7_M_finiEv",
        prefixes: "",
    },
    InactiveGroup {
        reason: "ends the program or reports that it failed",
        names: "\
            abort exit _exit _Exit quick_exit atexit __cxa_atexit at_quick_exit __assert_fail __assert \
            __assert_rtn __assert_perror_fail __stack_chk_fail __chk_fail __fortify_fail llvm.trap \
            llvm.debugtrap llvm.ubsantrap err errx warn warnx _FortranAAbort _FortranAStopStatement \
            _FortranAStopStatementText _FortranAFailImageStatement _FortranAPauseStatement \
            _FortranAPauseStatementInt _FortranAPauseStatementText _FortranAExit _FortranAProgramStart \
            _FortranAProgramEndStatement _FortranAReportFatalUserError _ZSt9terminatev __clang_call_terminate \
            __cxa_pure_virtual __cxa_deleted_virtual rust_begin_unwind",
        prefixes: "__ubsan_handle_ _ZSt20__throw_ _ZSt19__throw_ _ZSt17__throw_ _ZSt16__throw_",
    },
    InactiveGroup {
        reason: "a Rust panic",
        names: "rust_panic __rust_start_panic",
        prefixes: "\
            _ZN4core9panicking _ZN3std9panicking _ZN4core6option13expect_failed _ZN4core6option13unwrap_failed \
            _ZN4core6result13unwrap_failed _ZN4core5slice5index _ZN4core3str16slice_error_fail",
    },
    InactiveGroup {
        reason: "the environment of the process",
        names: "\
            __errno_location __error _errno strerror strerror_r getenv secure_getenv getpid getppid getcwd \
            sysconf getpagesize signal sigaction raise _FortranAArgumentCount _FortranAGetCommandArgument \
            _FortranAGetEnvVariable _FortranAGetPID _FortranASetUnderflowMode _FortranAGetUnderflowMode",
        prefixes: "",
    },
    InactiveGroup {
        reason: "the floating-point environment: modes and flags, no numbers",
        names: "\
            fegetround fesetround feclearexcept feraiseexcept fetestexcept fegetexceptflag fesetexceptflag \
            fegetenv fesetenv feholdexcept feupdateenv feenableexcept fedisableexcept fegetexcept \
            llvm.get.rounding llvm.set.rounding llvm.reset.fpenv llvm.reset.fpmode llvm.get.fpmode.i32 \
            llvm.get.fpenv.i256 _FortranAMapException",
        prefixes: "llvm.set.fpmode. llvm.set.fpenv.",
    },
    InactiveGroup {
        reason: "reads text and yields an integer or an address into the text",
        names: "\
            strlen strnlen strcmp strncmp strcasecmp strncasecmp strcoll strchr strrchr strstr strpbrk strspn \
            strcspn memcmp bcmp memchr memrchr rawmemchr strchrnul atoi atol atoll strtol strtoul strtoll \
            strtoull isalpha isdigit isspace isalnum isupper islower ispunct isxdigit toupper tolower \
            __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc wcslen wcscmp __isoc23_strtol __isoc23_strtoul \
            __isoc23_strtoll __isoc23_strtoull _FortranACharacterCompareScalar1 _FortranALenTrim1 \
            _FortranAIndex1",
        prefixes: "",
    },
    InactiveGroup {
        reason: "a number read from text depends on no float",
        names: "atof strtod strtof strtold",
        prefixes: "",
    },
    InactiveGroup {
        reason: "a truth value or class of a float, constant between jumps",
        names: "\
            isnan isnanf isnanl __isnan __isnanf __isnanl isinf isinff isinfl __isinf __isinff __isinfl finite \
            finitef finitel __finite __finitef __finitel __fpclassify __fpclassifyf __fpclassifyl __signbit \
            __signbitf __signbitl __issignaling __issignalingf __issignalingl _FortranAIsContiguous",
        prefixes: "\
            llvm.is.fpclass. llvm.experimental.constrained.fcmp. llvm.experimental.constrained.fcmps.",
    },
    InactiveGroup {
        reason: "an integer, constant between jumps",
        names: "abs labs llabs div ldiv lldiv ffs ffsl ffsll",
        prefixes: "\
            llvm.fptosi.sat. llvm.fptoui.sat. llvm.experimental.constrained.fptosi. \
            llvm.experimental.constrained.fptoui. _FortranAExponent _FortranANint _FortranAFloor \
            _FortranACeiling _FortranASelectedInt _FortranASelectedReal _FortranAModInteger \
            _FortranAModuloInteger",
    },
    InactiveGroup {
        reason: "a float made from an integer, which carries no derivative",
        names: "",
        prefixes: "llvm.experimental.constrained.sitofp. llvm.experimental.constrained.uitofp.",
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
    },
    InactiveGroup {
        reason: "tells the compiler something and computes nothing",
        names: "\
            llvm.assume llvm.donothing llvm.sideeffect llvm.pseudoprobe llvm.var.annotation \
            llvm.codeview.annotation llvm.experimental.noalias.scope.decl llvm.fake.use llvm.instrprof.increment \
            llvm.instrprof.increment.step llvm.instrprof.cover",
        prefixes: "\
            llvm.dbg. llvm.lifetime. llvm.invariant. llvm.prefetch. llvm.expect. llvm.is.constant. \
            llvm.objectsize. llvm.allow. llvm.type.test llvm.public.type.test",
    },
    InactiveGroup {
        reason: "saves or restores the stack pointer, asks for an address of the frame or thread",
        names: "\
            llvm.returnaddress llvm.eh.typeid.for llvm.localescape pthread_self sched_yield omp_get_thread_num \
            omp_get_num_threads omp_get_max_threads omp_in_parallel omp_set_num_threads omp_get_num_procs",
        prefixes: "llvm.stacksave llvm.stackrestore llvm.frameaddress llvm.eh.typeid.for.",
    },
    // Input is absent: `_FortranAioInput…` overwrites floats, which is then no business of a list.
    InactiveGroup {
        reason: "Fortran output, or the begin and end of Fortran I/O",
        names: "_FortranAioEndIoStatement",
        prefixes: "\
            _FortranAioBegin _FortranAioOutput _FortranAioSet _FortranAioGet _FortranAioEnable \
            _FortranAioInquire",
    },
    InactiveGroup {
        reason: "C++ stream output, and the set-up of streams",
        names: "\
            _ZNSt8ios_base4InitC1Ev _ZNSt8ios_base4InitD1Ev \
            _ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l",
        prefixes: "\
            _ZNSo _ZNKSo _ZStlsI _ZSt4endlI _ZSt5flushI _ZNSt9basic_iosI _ZNKSt9basic_iosI _ZNSt8ios_base \
            _ZNSt6localeC _ZNSt6localeD _ZNSt14basic_ofstreamI _ZNKSt5ctypeI",
    },
];

/// The list, indexed for look-up.
#[derive(Clone, Debug)]
pub struct InactiveIndex {
    names: HashMap<&'static str, &'static str>,
    prefixes: Vec<(&'static str, &'static str)>,
}

impl InactiveIndex {
    pub fn new() -> InactiveIndex {
        let mut index = InactiveIndex { names: HashMap::new(), prefixes: Vec::new() };
        for group in INACTIVE {
            for pattern in group.patterns() {
                match pattern {
                    Pattern::Name(name) => {
                        index.names.insert(name, group.reason);
                    }
                    Pattern::Prefix(prefix) => index.prefixes.push((prefix, group.reason)),
                }
            }
        }
        index
    }

    /// The reason why that symbol is inactive, if it is known to be.
    pub fn reason(&self, symbol: &str) -> Option<&'static str> {
        let by_prefix = || self.prefixes.iter().find(|(prefix, _)| symbol.starts_with(prefix));
        self.names.get(symbol).copied().or_else(|| by_prefix().map(|(_, reason)| *reason))
    }
}

impl InactiveGroup {
    pub fn patterns(&self) -> impl Iterator<Item = Pattern> {
        let names = self.names.split_whitespace().map(Pattern::Name);
        names.chain(self.prefixes.split_whitespace().map(Pattern::Prefix))
    }
}
