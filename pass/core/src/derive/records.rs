//! Records on the tape: laid when a block is entered, taken back when its reverse is left.

use super::Source;
use super::arrays::{When, place_in_array};
use super::builder::Builder;
use super::cells::{Cells, load, store};
use super::tape::{call_record, field, function_name};
use crate::analyses::overlap::Overwrites;
use crate::model::{BlockId, CastOp, Constant, Function, Inst, Layout, Op, Operand, Type, ValueId};
use crate::plan::{Fetch, Item, Plan, RecordArray};

/// Every record is a multiple of this, as the runtime's invariant asks.
pub const GRAIN: u64 = 8;

/// One place in a record.
struct Field {
    item: Item,
    lane: u32,
    ty: Type,
    offset: u64,
}

/// Where each item of a block's record lies, and how long the record is.
fn lay_record(source: &Source, builder: &Builder, items: &[Item]) -> (Vec<Field>, u64) {
    lay_fields(source.function, source.plan, &builder.layout, items)
}

/// The length of a record of some items, laid by a block. Where an array holds nothing but such records, they are as close as
/// their members allow.
pub fn measure_record(
    function: &Function,
    plan: &Plan,
    layout: &Layout,
    block: Option<BlockId>,
    items: &[Item],
) -> u64 {
    let (fields, bytes) = lay_fields(function, plan, layout, items);
    let alone = |array: &RecordArray| block.is_some_and(|block| array.blocks == [block]);
    if !plan.arrays.values().any(alone) {
        return bytes;
    }
    let align = |field: &Field| layout.align_of(&field.ty).unwrap_or(GRAIN).clamp(1, GRAIN);
    let end = |field: &Field| field.offset + layout.size_of(&field.ty).unwrap_or(0);
    let most = fields.iter().map(align).max().unwrap_or(GRAIN);
    fields.iter().map(end).max().unwrap_or(0).next_multiple_of(most)
}

fn lay_fields(function: &Function, plan: &Plan, layout: &Layout, items: &[Item]) -> (Vec<Field>, u64) {
    let mut typed: Vec<(Item, u32, Type)> = Vec::new();
    for item in items {
        match item {
            Item::Value(value) if plan.row_of(*value).is_some() => {}
            Item::Value(value) => typed.push((*item, 0, function.value_type(*value).clone())),
            Item::Old(id) => typed.push((*item, 0, stored_type(function, *id))),
            Item::Shadow(_) => {
                typed.extend((0..plan.width()).map(|lane| (*item, lane, Type::PTR)));
            }
            Item::Edge => typed.push((*item, 0, Type::I32)),
            Item::Counter { .. } => typed.push((*item, 0, Type::I64)),
            Item::Array { .. } => typed.push((*item, 0, Type::PTR)),
        }
    }
    // Records are aligned to 8; the larger items first leave no gaps between them.
    typed.sort_by_key(|(_, _, ty)| std::cmp::Reverse(layout.size_of(ty)));
    let (mut bytes, mut fields) = (0u64, Vec::new());
    for (item, lane, ty) in typed {
        let align = layout.align_of(&ty).unwrap_or(GRAIN).clamp(1, GRAIN);
        bytes = bytes.next_multiple_of(align);
        fields.push(Field { item, lane, ty: ty.clone(), offset: bytes });
        bytes += layout.size_of(&ty).unwrap_or(0);
    }
    (fields, bytes.next_multiple_of(GRAIN))
}

fn stored_type(function: &Function, id: ValueId) -> Type {
    function.inst(id).map_or(Type::DOUBLE, |inst| function.operand_type(&inst.operands[0]))
}

/// The length of a block's record.
pub fn record_bytes(source: &Source, builder: &Builder, block: BlockId) -> u64 {
    let measure =
        |items: &Vec<Item>| measure_record(source.function, source.plan, &builder.layout, Some(block), items);
    source.plan.records.get(&block).map_or(0, measure)
}

/// Lays the record of a block: what its cells hold from the last time, and the edge just taken.
pub fn push_record(
    source: &Source,
    builder: &mut Builder,
    cells: &Cells,
    block: BlockId,
    edge: Option<&Operand>,
) {
    let (Some(items), Some(cursor)) = (source.plan.records.get(&block), &cells.cursor) else { return };
    let (fields, bytes) = lay_record(source, builder, items);
    let fields = of_last_time(source, fields);
    let record = match place_in_array(source, builder, cells, block, When::Entered) {
        Some(place) => place,
        None => {
            call_record(source, builder, "backsweep.push", operands(source, cursor, bytes), &place_of(block))
        }
    };
    for Field { item, lane, ty, offset } in fields {
        let value = match cell_of(cells, item, lane) {
            Some(cell) => load(builder, cell, ty),
            None => edge.cloned().unwrap_or(Operand::Const(Constant::int(32, 0))),
        };
        let place = field(builder, &record, offset);
        store_packed(builder, &place, value);
        mark_number(source, builder, Some(item));
    }
}

/// Edges and counters are integers, whatever else lies in records, and so are values that the plan says are. What was read from a member
/// that is declared to be an integer is as much of one on the tape as it was there, and so is what lay where such a member is put,
/// unless there may have been a float before, as in the other arm of a variant.
pub fn mark_number(source: &Source, builder: &mut Builder, item: Option<Item>) {
    let activity = &source.plan.activity;
    let is_declared = |id: ValueId| match source.function.inst(id) {
        Some(Inst { op: Op::Load(access), .. }) => access.integer,
        Some(Inst { op: Op::Store(access), .. }) => {
            access.integer && activity.overwrites(id) == Some(Overwrites::Integer)
        }
        _ => false,
    };
    match item {
        Some(Item::Edge | Item::Counter { .. }) => builder.mark_last_integer(),
        Some(Item::Value(value)) if source.plan.numbers.contains(&value) => builder.mark_last_number(),
        Some(Item::Value(value) | Item::Old(value)) if is_declared(value) => builder.mark_last_integer(),
        _ => {}
    }
}

/// The name of a block's record.
fn place_of(block: BlockId) -> String {
    format!("block{}", block.0)
}

/// Takes the record of a block back into its cells; returns the edge, where it was recorded.
pub fn pop_record(source: &Source, builder: &mut Builder, cells: &Cells, block: BlockId) -> Option<Operand> {
    let (items, cursor) = (source.plan.records.get(&block)?, cells.cursor.as_ref()?);
    let (fields, bytes) = lay_record(source, builder, items);
    let fields = of_last_time(source, fields);
    let record = match place_in_array(source, builder, cells, block, When::Running) {
        Some(place) => place,
        None => {
            call_record(source, builder, "backsweep.pop", operands(source, cursor, bytes), &place_of(block))
        }
    };
    let mut edge = None;
    for Field { item, lane, ty, offset } in fields {
        let place = field(builder, &record, offset);
        let value = load_packed(builder, &place, ty);
        mark_number(source, builder, Some(item));
        match cell_of(cells, item, lane) {
            Some(cell) => store(builder, cell, value),
            None => edge = Some(value),
        }
    }
    edge
}

/// Lays what a block has put into its cells, as it ends.
pub fn lay_fresh(source: &Source, builder: &mut Builder, cells: &Cells, block: BlockId) {
    for (item, cell, place, ty) in fresh_places(source, builder, cells, block, |_| true) {
        let value = load(builder, &cell, ty);
        store_packed(builder, &place, value);
        mark_number(source, builder, Some(item));
    }
}

/// Takes it back: where the reverse of a pass begins what all of it reads, and where the reverse of the block begins the rest.
pub fn fetch_fresh(source: &Source, builder: &mut Builder, cells: &Cells, block: BlockId) {
    for of_pass in source.arrays_ended(block).flat_map(|(_, array)| &array.blocks) {
        fetch(source, builder, cells, *of_pass, Fetch::WithPass);
    }
    fetch(source, builder, cells, block, Fetch::WithBlock);
}

fn fetch(source: &Source, builder: &mut Builder, cells: &Cells, block: BlockId, when: Fetch) {
    for (item, cell, place, ty) in fresh_places(source, builder, cells, block, |fetch| fetch == when) {
        let value = load_packed(builder, &place, ty);
        mark_number(source, builder, Some(item));
        store(builder, &cell, value);
    }
}

/// The values in a block's record, each with its place.
pub fn value_fields(source: &Source, builder: &Builder, block: BlockId) -> Vec<(ValueId, u64)> {
    let items = source.plan.records.get(&block).map_or(&[][..], Vec::as_slice);
    let fields = lay_record(source, builder, items).0.into_iter();
    fields
        .filter_map(|field| match field.item {
            Item::Value(value) => Some((value, field.offset)),
            _ => None,
        })
        .collect()
}

/// The cells of a block that are recorded as it ends and come back at such a time, with their places in its record of this
/// pass.
fn fresh_places(
    source: &Source,
    builder: &mut Builder,
    cells: &Cells,
    block: BlockId,
    comes_back: impl Fn(Fetch) -> bool,
) -> Vec<(Item, Operand, Operand, Type)> {
    let items = source.plan.records.get(&block).map_or(&[][..], Vec::as_slice);
    let fields = lay_record(source, builder, items).0;
    let wanted = |field: &Field| source.plan.fresh.get(&field.item).is_some_and(|fetch| comes_back(*fetch));
    if !fields.iter().any(wanted) {
        return Vec::new();
    }
    let Some(record) = place_in_array(source, builder, cells, block, When::Running) else {
        unreachable!("^{} records as it ends, and has no array", block.0)
    };
    let mut places = Vec::new();
    for Field { item, lane, ty, offset } in fields.into_iter().filter(wanted) {
        if let Some(cell) = cell_of(cells, item, lane) {
            places.push((item, cell.clone(), field(builder, &record, offset), ty));
        }
    }
    places
}

fn of_last_time(source: &Source, fields: Vec<Field>) -> Vec<Field> {
    fields.into_iter().filter(|field| !source.plan.fresh.contains_key(&field.item)).collect()
}

/// The cell that an item comes from and goes back to; the number of an edge has none.
fn cell_of(cells: &Cells, item: Item, lane: u32) -> Option<&Operand> {
    match item {
        Item::Value(value) => Some(&cells.kept[&value]),
        Item::Old(store) => Some(&cells.old[&store]),
        Item::Shadow(value) => Some(&cells.kept_shadows[&(value, lane)]),
        Item::Counter { header } => Some(&cells.counters[&header]),
        Item::Array { header } => Some(&cells.arrays[&header]),
        Item::Edge => None,
    }
}

fn operands(source: &Source, cursor: &Operand, bytes: u64) -> Vec<Operand> {
    let bytes = Operand::Const(Constant::int(64, i128::from(bytes)));
    vec![cursor.clone(), bytes, Operand::Const(function_name(source))]
}

/// A type may ask for more than the tape's alignment, so accesses promise no more than that. A truth value is a whole byte:
/// LLVM makes no vectors of accesses that leave bits of a byte out.
pub fn store_packed(builder: &mut Builder, place: &Operand, value: Operand) {
    let value = match builder.type_of(&value) {
        Type::BOOL => builder.push(Op::Cast(CastOp::ZExt), Type::Int(8), vec![value]),
        _ => value,
    };
    store(builder, place, value);
    builder.limit_last_alignment(GRAIN);
}

pub fn load_packed(builder: &mut Builder, place: &Operand, ty: Type) -> Operand {
    let whole = if ty == Type::BOOL { Type::Int(8) } else { ty.clone() };
    let value = load(builder, place, whole);
    builder.limit_last_alignment(GRAIN);
    match ty {
        Type::BOOL => builder.push(Op::Cast(CastOp::Trunc), ty, vec![value]),
        _ => value,
    }
}
