//! What derived code calls, declared as emission would.

use backsweep_core::model::{Function, Linkage, Param, Program, Type};

/// The program with declarations of whatever derived code calls or names, as emission would add them.
pub fn declared(program: &Program) -> Program {
    let mut program = program.clone();
    let mut names: Vec<(String, Function)> = Vec::new();
    for function in &program.functions {
        for inst in function.insts.iter().filter(|inst| inst.op.call().is_some()) {
            if let Some(name) = inst.callee_name()
                && program.function(name).is_none()
            {
                let params = inst.arguments().iter().map(|x| function.operand_type(x)).collect();
                names.push((name.to_owned(), declaration(name, params, inst.ty.clone())));
            }
        }
    }
    names.sort_by(|a, b| a.0.cmp(&b.0));
    names.dedup_by(|a, b| a.0 == b.0);
    program.functions.extend(names.into_iter().map(|(_, function)| function));
    program
}

fn declaration(name: &str, params: Vec<Type>, ret: Type) -> Function {
    Function {
        name: name.into(),
        linkage: Linkage::Declared,
        params: params.into_iter().map(|ty| Param { name: None, ty, attributes: vec![] }).collect(),
        variadic: false,
        ret,
        attributes: vec![],
        blocks: vec![],
        insts: vec![],
        loops: vec![],
        memory: Default::default(),
        aliases: vec![],
        loc: None,
        names: Default::default(),
    }
}
