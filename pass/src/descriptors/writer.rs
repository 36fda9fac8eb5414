//! The edits of objects of derived types, written as instructions: members of objects and of descriptors are read and stored
//! one by one, each as what it is declared to be.

use llvm_sys::core::*;
use llvm_sys::prelude::LLVMValueRef;
use llvm_sys::target::LLVMTargetDataRef;

use super::choices::is_extended;
use super::declared::Declared;
use super::described::{Component, DerivedType, Genre, Intrinsic};
use super::integers::build_mark;
use super::objects::{COPY_COMPONENT, DECLARED, MOST_ELEMENTS, Step};
use crate::aggregates::{MOST_MEMBERS, Member, list_members, member_place};
use crate::llvm::{Builder, Module, Ty, Value, llvm, shim};

pub struct Writer {
    pub module: Module,
    pub layout: LLVMTargetDataRef,
    pub builder: Builder,
}

impl Writer {
    pub fn write(&self, step: &Step) {
        match step {
            Step::Store { object, offset, constant, counted } => {
                self.store(*object, *offset, *constant, *counted);
            }
            Step::Nothing { object, offset, component } => self.write_nothing(*object, *offset, *component),
            Step::Mark { name, objects, offset, ty } => {
                let places = objects.iter().map(|object| self.place(*object, *offset)).chain([ty.0]);
                self.call(name, &places.collect::<Vec<_>>());
            }
            Step::Call { name, objects, offset, component }
                if component.is_of_intrinsic_type() || !self.is_described(objects, *offset) =>
            {
                let slots: Vec<LLVMValueRef> =
                    objects.iter().map(|object| self.slot_for(*object, *offset, *component)).collect();
                self.call(name, &slots);
                // Only the first is changed.
                for (member, ty, fixed) in self.lasting_head_of(*component) {
                    if fixed.is_none() {
                        let value = self.load_member(ty, Value(slots[0]), member);
                        self.put_member(value, objects[0], offset + member);
                    }
                }
            }
            Step::Call { name, objects, offset, .. } => {
                let places = objects.iter().map(|object| self.place(*object, *offset));
                self.call(name, &places.collect::<Vec<_>>());
            }
            Step::Copy { objects, offset, of, count, counted } => {
                self.copy(*objects, *offset, (*of, *count, *counted));
            }
            Step::Finish { object, procedure } => self.call_user(*procedure, *object),
            Step::Name { object, procedure } => {
                self.put(procedure.initial.0, *object, procedure.offset);
            }
            Step::Rename { objects: [to, from], procedure } => {
                let value = self.load(self.pointer(), *from, procedure.offset);
                self.put(value, *to, procedure.offset);
            }
            Step::Point { objects: [to, from], offset, component } => {
                for (member, ty) in self.members_of_descriptor(*component) {
                    let value = self.load_member(ty, *from, offset + member);
                    self.put_member(value, *to, offset + member);
                }
            }
        }
    }

    fn store(&self, object: Value, offset: u64, constant: Value, counted: bool) {
        let mut members: Vec<Member> = Vec::new();
        list_members(self.layout, constant.ty(), &[], 0, &mut members);
        if members.len() > MOST_MEMBERS {
            llvm!(LLVMBuildStore(self.builder.0, constant.0, self.place(object, offset)));
            return;
        }
        for member in members {
            let element = |whole, index: &u32| llvm!(LLVMGetAggregateElement(whole, *index));
            let value = member.path.iter().fold(constant.0, element);
            match counted {
                true => self.put_integer(value, object, offset + member.offset),
                false => drop(self.put(value, object, offset + member.offset)),
            }
        }
    }

    fn write_nothing(&self, object: Value, offset: u64, component: Component) {
        for (member, ty, fixed) in self.head_of(component) {
            let rank = component.rank().unwrap_or_default();
            let is_type = component.derived().is_some() && member == 24 + 24 * rank;
            let nothing = fixed.unwrap_or_else(|| llvm!(LLVMConstNull(ty.0)));
            let value = component.derived().filter(|_| is_type).map_or(nothing, |of| of.0);
            self.put_member(value, object, offset + member);
        }
    }

    /// The type that was read of an object that is of one or extends it.
    fn ask_type(&self, of: Value, read: LLVMValueRef) -> LLVMValueRef {
        let place = llvm!(LLVMConstInt(self.int(64).0, 0, 0));
        self.ask(DECLARED, self.pointer(), &[of.0, place, read])
    }

    /// Whether the descriptor that stands there is seen as that of a component, by how its address is made.
    fn is_described(&self, objects: &[Value], offset: u64) -> bool {
        let declared = Declared { module: self.module, layout: self.layout };
        objects.iter().all(|object| declared.finds_component(*object, offset))
    }

    /// The descriptor of a component in a stack slot, where it is seen what the declaration fixes of it.
    fn slot_for(&self, object: Value, offset: u64, component: Component) -> LLVMValueRef {
        let head = self.lasting_head_of(component);
        let bytes = head.iter().map(|(member, ..)| member + 8).max().unwrap_or_default();
        let ty = llvm!(LLVMArrayType2(self.int(64).0, bytes / 8));
        let here = llvm!(LLVMGetInsertBlock(self.builder.0));
        let entry = llvm!(LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here)));
        let at_entry = Builder::new(self.module.context());
        at_entry.before(Value(llvm!(LLVMGetFirstInstruction(entry))));
        let slot = llvm!(LLVMBuildAlloca(at_entry.0, ty, c"".as_ptr()));
        for (member, ty, fixed) in head {
            let value = fixed.unwrap_or_else(|| self.load_member(ty, object, offset + member));
            let is_type = member == 24 + 24 * component.rank().unwrap_or_default();
            let value = match component.derived().filter(|_| is_type && fixed.is_none()) {
                Some(of) => self.ask_type(of, value),
                None => value,
            };
            self.put_member(value, Value(slot), member);
        }
        slot
    }

    /// The same with what stays fixed: an object of another type than declared is as large as that one, and text has a length of
    /// its own.
    fn lasting_head_of(&self, component: Component) -> Vec<(u64, Ty, Option<LLVMValueRef>)> {
        const BYTES: u64 = 8;
        let varies = component.text_length().is_some()
            || component.derived().is_some_and(|of| is_extended(self.module, of));
        let all = self.head_of(component).into_iter();
        all.map(|(member, ty, fixed)| (member, ty, fixed.filter(|_| !varies || member != BYTES))).collect()
    }

    /// The members of a component's descriptor, with the values that its declaration fixes.
    fn head_of(&self, component: Component) -> Vec<(u64, Ty, Option<LLVMValueRef>)> {
        const VERSION: u64 = 20_240_719;
        let derived = component.derived().and_then(DerivedType::read);
        let (code, bytes, extra) = match (component.intrinsic(), component.text_length(), derived) {
            (Some(of), ..) => (of.code, of.bytes, 0),
            (None, Some(length), _) => (40, length, 0),
            (None, None, of) => (42, of.and_then(DerivedType::bytes).unwrap_or_default(), 1),
        };
        // What an object is that may be of another type than declared is read.
        let of = component.derived().filter(|of| !is_extended(self.module, *of));
        let attribute = if component.genre() == Some(Genre::Pointer) { 1 } else { 2 };
        let rank = component.rank().unwrap_or_default();
        let numbers = [bytes, VERSION, rank, u64::from(code), attribute, extra];
        let members = self.members_of_descriptor(component).into_iter().enumerate();
        let with_value = members.map(|(index, (member, ty))| {
            let number = index.checked_sub(1).and_then(|index| numbers.get(index));
            let number = number.map(|number| llvm!(LLVMConstInt(ty.0, *number, 0)));
            let of = of.filter(|_| member == 24 + 24 * rank).map(|of| of.0);
            (member, ty, number.or(of))
        });
        with_value.collect()
    }

    /// Where the members of a component's descriptor stand, and of what type they are.
    fn members_of_descriptor(&self, component: Component) -> Vec<(u64, Ty)> {
        let (pointer, int) = (self.pointer(), |bits| self.int(bits));
        let head = [
            (0, pointer),
            (8, int(64)),
            (16, int(32)),
            (20, int(8)),
            (21, int(8)),
            (22, int(8)),
            (23, int(8)),
        ];
        let rank = component.rank().unwrap_or_default();
        let end = 24 + 24 * rank;
        let dims = (24..end).step_by(8).map(|offset| (offset, int(64)));
        let addendum = [(end, pointer), (end + 8, int(64))];
        let behind = addendum.into_iter().filter(|_| component.derived().is_some());
        head.into_iter().chain(dims).chain(behind).collect()
    }

    fn copy(&self, [to, from]: [Value; 2], offset: u64, (of, count, counted): (Intrinsic, u64, bool)) {
        if count > MOST_ELEMENTS {
            let number = |bits, value| llvm!(LLVMConstInt(self.int(bits).0, value, 0));
            let sizes = [number(8, u64::from(of.code)), number(64, of.bytes), number(64, count)];
            let places = [self.place(to, offset), self.place(from, offset)];
            self.call(COPY_COMPONENT, &[places.as_slice(), &sizes].concat());
            return;
        }
        let (ty, parts) = self.parts_of(of);
        let bytes = of.bytes / parts;
        for index in 0..count * parts {
            let read = self.load(ty, from, offset + index * bytes);
            let place = offset + index * bytes;
            match counted {
                true => self.put_integer(build_mark(self.module, &self.builder, Value(read)), to, place),
                false => drop(self.put(read, to, place)),
            }
        }
    }

    /// The scalars that a value is made of, and how many.
    fn parts_of(&self, of: Intrinsic) -> (Ty, u64) {
        let context = self.module.context();
        let (single, double) =
            (llvm!(LLVMFloatTypeInContext(context)), llvm!(LLVMDoubleTypeInContext(context)));
        match of.code {
            27 => (Ty(single), 1),
            28 => (Ty(double), 1),
            34 => (Ty(single), 2),
            35 => (Ty(double), 2),
            _ => (self.int(8 * of.bytes as u32), 1),
        }
    }

    fn int(&self, bits: u32) -> Ty {
        Ty(llvm!(LLVMIntTypeInContext(self.module.context(), bits)))
    }

    fn pointer(&self) -> Ty {
        Ty(llvm!(LLVMPointerTypeInContext(self.module.context(), 0)))
    }

    fn place(&self, object: Value, offset: u64) -> LLVMValueRef {
        member_place(&self.builder, object, offset)
    }

    /// A member of a descriptor: an address, or an integer.
    fn load_member(&self, ty: Ty, object: Value, offset: u64) -> LLVMValueRef {
        let value = self.load(ty, object, offset);
        match ty.kind() == llvm_sys::LLVMTypeKind::LLVMIntegerTypeKind {
            true => build_mark(self.module, &self.builder, Value(value)),
            false => value,
        }
    }

    fn load(&self, ty: Ty, object: Value, offset: u64) -> LLVMValueRef {
        let load = llvm!(LLVMBuildLoad2(self.builder.0, ty.0, self.place(object, offset), c"".as_ptr()));
        self.mark_declared(Value(load), ty);
        load
    }

    fn put(&self, value: LLVMValueRef, object: Value, offset: u64) -> Value {
        let store = Value(llvm!(LLVMBuildStore(self.builder.0, value, self.place(object, offset))));
        self.mark_declared(store, Ty(llvm!(LLVMTypeOf(value))));
        store
    }

    /// A component that is declared to be a real is one, and so is an address: Fortran has no unions, and of which type an object is was
    /// asked before. Objects of other types, which the same variable may hold, may have the other there.
    fn mark_declared(&self, access: Value, ty: Ty) {
        use llvm_sys::LLVMTypeKind::{LLVMDoubleTypeKind, LLVMFloatTypeKind, LLVMPointerTypeKind};
        if matches!(ty.kind(), LLVMFloatTypeKind | LLVMDoubleTypeKind | LLVMPointerTypeKind) {
            llvm!(shim::bs_shim_mark_member(access.0));
            llvm!(shim::bs_shim_mark_stepped(access.0));
        }
    }

    /// A member of a descriptor: an address, or an integer.
    fn put_member(&self, value: LLVMValueRef, object: Value, offset: u64) {
        match is_integer(value) {
            true => self.put_integer(value, object, offset),
            false => drop(self.put(value, object, offset)),
        }
    }

    /// What is an integer by its declaration, where nobody says otherwise.
    fn put_integer(&self, value: LLVMValueRef, object: Value, offset: u64) {
        let store = self.put(value, object, offset);
        if is_integer(value) {
            llvm!(shim::bs_shim_mark_integer(store.0));
        }
    }

    /// A procedure that is given an object.
    fn call_user(&self, procedure: Value, object: Value) {
        let ty = Ty::function(Ty(llvm!(LLVMVoidTypeInContext(self.module.context()))), &[object.ty()], false);
        let mut arguments = [object.0];
        llvm!(LLVMBuildCall2(self.builder.0, ty.0, procedure.0, arguments.as_mut_ptr(), 1, c"".as_ptr()));
    }

    pub fn call(&self, name: &str, arguments: &[LLVMValueRef]) {
        self.ask(name, Ty(llvm!(LLVMVoidTypeInContext(self.module.context()))), arguments);
    }

    fn ask(&self, name: &str, answer: Ty, arguments: &[LLVMValueRef]) -> LLVMValueRef {
        call(self.module, &self.builder, name, answer, arguments)
    }
}

/// Calls what has a body of ours by that name, or none.
pub fn call(
    module: Module,
    builder: &Builder,
    name: &str,
    answer: Ty,
    arguments: &[LLVMValueRef],
) -> LLVMValueRef {
    let types: Vec<Ty> = arguments.iter().map(|argument| Ty(llvm!(LLVMTypeOf(*argument)))).collect();
    let ty = Ty::function(answer, &types, false);
    let callee = module.function(name).unwrap_or_else(|| module.add_function(name, ty));
    let mut arguments = arguments.to_vec();
    let count = arguments.len() as u32;
    llvm!(LLVMBuildCall2(builder.0, ty.0, callee.0, arguments.as_mut_ptr(), count, c"".as_ptr()))
}

fn is_integer(value: LLVMValueRef) -> bool {
    Value(value).ty().kind() == llvm_sys::LLVMTypeKind::LLVMIntegerTypeKind
}
