//! Library functions that read for the program: they know no variable of it but those whose addresses they are given or can find, and
//! call none of its functions.

use crate::model::Inst;

/// C's functions that read text or bytes, by name.
const READERS: &str = "\
    sscanf __isoc99_sscanf __isoc23_sscanf vsscanf __isoc99_vsscanf __isoc23_vsscanf fscanf __isoc99_fscanf \
    __isoc23_fscanf scanf __isoc99_scanf __isoc23_scanf fread fgets getline __getline getdelim __getdelim strtok \
    strtok_r __strtok_r";

/// What C++'s streams and strings of characters are called.
const STREAMS: [&str; 8] = [
    "_ZNSi",
    "_ZNKSi",
    "_ZNSt7__cxx11",
    "_ZNKSt7__cxx11",
    "_ZStrsIcSt11char",
    "_ZSt7getlineIcSt11char",
    "_ZNSt9basic_ios",
    "_ZNSt13basic_filebuf",
];
const OF_CHARACTERS: &str = "IcSt11char_traitsIcE";

/// Whether a call is of such a function. A program may have a function of its own by a name that is not reserved.
pub fn only_reads_for_program(inst: &Inst) -> bool {
    let library = inst.op.call().is_some_and(|call| call.library);
    inst.callee_name().is_some_and(|name| {
        let is_stream = STREAMS.iter().any(|start| name.starts_with(start));
        let plain = name.starts_with("_ZNSi") || name.starts_with("_ZNKSi") || name.contains(OF_CHARACTERS);
        let known = library || name.starts_with("__");
        is_stream && plain || known && READERS.split_whitespace().any(|reader| reader == name)
    })
}
