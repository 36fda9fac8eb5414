//! Where in a host's pipeline we run, and what may still become known later.

use backsweep_core::refusal::Code;
use llvm_sys::core::*;
use llvm_sys::{LLVMLinkage, LLVMVisibility};

use crate::llvm::{Module, llvm, shim};
use crate::requests::HookSite;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Before anything was optimised: most requests are answered here, on the program as it was written.
    Start,
    /// After inlining: for requests whose function was not known before.
    Middle(Link),
    /// All files of a full LTO link in one module.
    Link,
    /// Asked for by name, in `opt -passes=backsweep`.
    Explicit,
}

/// Whether this module will be linked by LTO, or has been.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    None,
    BeforeThin,
    AfterThin,
    BeforeFull,
    AfterFull,
}

impl Stage {
    /// Reads the shim's numbers.
    pub fn from_raw(stage: u32, link: u32) -> Stage {
        let link = match link {
            1 => Link::BeforeThin,
            2 => Link::AfterThin,
            3 => Link::BeforeFull,
            4 => Link::AfterFull,
            _ => Link::None,
        };
        match stage {
            0 => Stage::Start,
            1 => Stage::Middle(link),
            2 => Stage::Link,
            _ => Stage::Explicit,
        }
    }

    /// Whether a later stage may know what is missing now.
    pub fn may_resolve(self, code: Code) -> bool {
        let missing = matches!(code, Code::NoFunction | Code::NoBody | Code::UnknownCallee);
        let later = match self {
            Stage::Start | Stage::Middle(Link::BeforeFull) => true,
            Stage::Middle(_) | Stage::Link | Stage::Explicit => false,
        };
        missing && later
    }

    /// Whether the module is as the front end has written it.
    pub fn is_as_written(self) -> bool {
        matches!(self, Stage::Start | Stage::Explicit)
    }

    pub fn is_before_full_link(self) -> bool {
        self == Stage::Middle(Link::BeforeFull)
    }

    /// Keeps a request that waits from being changed on the way: not merged with another, its markers not folded.
    pub fn protect(self, module: Module, site: &HookSite) {
        llvm!(shim::bs_shim_mark_nomerge(site.call.0));
        for marker in site.markers() {
            if !marker.is_declaration() {
                // What may be replaced at link time is not folded; all copies are alike, and hidden ones do not clash.
                llvm!(LLVMSetGlobalConstant(marker.0, 0));
                llvm!(LLVMSetLinkage(marker.0, LLVMLinkage::LLVMWeakAnyLinkage));
                llvm!(LLVMSetVisibility(marker.0, LLVMVisibility::LLVMHiddenVisibility));
                llvm!(shim::bs_shim_append_used(module.0, marker.0));
            }
        }
    }
}
