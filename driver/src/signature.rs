//! What a function takes and returns, in the user's words: IR types joined with debug information.

use crate::debug_info::{DebugInfo, SourceParam, SourceType};
use crate::ir_text::{Definition, IrParam, read_definitions};
use crate::near;
use crate::refusal::{Code, Refusal};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The name in the source where debug information gives one.
    pub name: String,
    /// The same with its scopes and template arguments.
    pub qualified: String,
    pub symbol: String,
    pub ret: Float,
    pub params: Vec<Param>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    pub name: String,
    pub shape: Shape,
    /// `zeroext` or `signext`: how a small integer travels belongs to the call as well.
    pub extension: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Float(Float),
    Integer(u32),
    /// A pointer to floats: an array, a reference, or a Fortran argument.
    Floats(Float),
    Integers(u32),
    /// A pointer to floats and, as a second IR parameter, their number.
    Slice(Float),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Float {
    Single,
    Double,
    Extended,
}

impl Float {
    pub fn ir(self) -> &'static str {
        match self {
            Float::Single => "float",
            Float::Double => "double",
            Float::Extended => "x86_fp80",
        }
    }

    fn from_ir(ty: &str) -> Option<Float> {
        [Float::Single, Float::Double, Float::Extended].into_iter().find(|float| float.ir() == ty)
    }

    /// `long double` has 80 bits and takes 128 in memory, which is what debug information counts.
    fn from_bits(bits: u32) -> Option<Float> {
        match bits {
            32 => Some(Float::Single),
            64 => Some(Float::Double),
            80 | 128 => Some(Float::Extended),
            _ => None,
        }
    }
}

impl Shape {
    /// The type of the numbers that can be differentiated for.
    pub fn float(self) -> Option<Float> {
        match self {
            Shape::Float(float) | Shape::Floats(float) | Shape::Slice(float) => Some(float),
            Shape::Integer(_) | Shape::Integers(_) => None,
        }
    }
}

/// The function a user calls `wanted`: its symbol, its name in the source, or that name with its scopes.
pub fn find_signature(text: &str, wanted: &str) -> Result<Signature, Refusal> {
    let info = DebugInfo::read(text);
    let (name, definition) = find_definition(text, &info, wanted)?;
    build_signature(&name, &definition, &info)
}

/// The symbol of that function, whatever it takes and returns.
pub fn find_symbol(text: &str, wanted: &str) -> Result<String, Refusal> {
    let (_, definition) = find_definition(text, &DebugInfo::read(text), wanted)?;
    Ok(definition.symbol)
}

/// The name in the source of a symbol, with its scopes.
pub fn name_in_source(definitions: &[Definition], info: &DebugInfo, symbol: &str) -> Option<String> {
    let definition = definitions.iter().find(|definition| definition.symbol == symbol)?;
    info.qualified_name(definition.debug?)
}

/// The name in the source, and the definition.
fn find_definition(text: &str, info: &DebugInfo, wanted: &str) -> Result<(String, Definition), Refusal> {
    let functions: Vec<(String, Definition)> = read_definitions(text)
        .into_iter()
        .map(|definition| {
            let qualified = definition.debug.and_then(|id| info.qualified_name(id));
            (qualified.unwrap_or_else(|| definition.symbol.clone()), definition)
        })
        .collect();
    let called = |(name, definition): &&(String, Definition)| is_called(name, &definition.symbol, wanted);
    let matches: Vec<_> = functions.iter().filter(called).collect();
    match matches[..] {
        [found] => Ok(found.clone()),
        [] => Err(refuse_unknown(wanted, &functions)),
        _ => {
            let symbols: Vec<_> = matches.iter().map(|(_, definition)| definition.symbol.as_str()).collect();
            let symbols = symbols.join("`, `");
            Err(Refusal::new(
                Code::Function,
                format!("`{wanted}` names several functions; choose one by its symbol: `{symbols}`"),
            ))
        }
    }
}

/// Template arguments may be left out, and so may outer scopes.
fn is_called(qualified: &str, symbol: &str, wanted: &str) -> bool {
    let untemplated = qualified.split('<').next().unwrap_or(qualified);
    let ends_with_scope = |name: &str| name.strip_suffix(wanted).is_some_and(|scope| scope.ends_with("::"));
    symbol == wanted
        || [qualified, untemplated, last_component(qualified)].contains(&wanted)
        || ends_with_scope(qualified)
        || ends_with_scope(untemplated)
}

fn last_component(qualified: &str) -> &str {
    // A template argument may itself have scopes: only what stands before `<` counts.
    let head = qualified.split('<').next().unwrap_or(qualified);
    let start = head.rfind("::").map_or(0, |index| index + 2);
    &qualified[start..]
}

fn refuse_unknown(wanted: &str, functions: &[(String, Definition)]) -> Refusal {
    let hint = near::hint(wanted, functions.iter().map(|(name, _)| last_component(name)));
    let advice = match hint.is_empty() {
        false => hint,
        true => {
            " (a function that is static, private or generic is only there when something calls it)".into()
        }
    };
    Refusal::new(Code::Function, format!("the compiled file has no function `{wanted}`{advice}"))
}

fn build_signature(name: &str, definition: &Definition, info: &DebugInfo) -> Result<Signature, Refusal> {
    let (qualified, name) = (name.to_string(), last_component(name));
    if definition.variadic {
        return Err(Refusal::new(
            Code::Signature,
            format!("`{name}` is variadic; grad needs a fixed list of parameters"),
        ));
    }
    let ret = Float::from_ir(&definition.ret).ok_or_else(|| refuse_return(name, definition))?;
    let source = definition.debug.map(|id| info.params(id)).unwrap_or_default();
    let params = join_params(name, &definition.params, &source)?;
    Ok(Signature { name: name.to_string(), qualified, symbol: definition.symbol.clone(), ret, params })
}

fn refuse_return(name: &str, definition: &Definition) -> Refusal {
    let sret = definition.params.iter().any(|p| p.attributes.iter().any(|a| a.starts_with("sret")));
    let found = match definition.ret.as_str() {
        "void" if sret => "a structure",
        "void" => "nothing",
        other => other,
    };
    Refusal::new(
        Code::Signature,
        format!("`{name}` returns {found}; grad needs a function that returns one float"),
    )
}

/// Without debug information for every parameter, names and types come from the IR alone.
fn join_params(function: &str, ir: &[IrParam], source: &[SourceParam]) -> Result<Vec<Param>, Refusal> {
    if source.is_empty() {
        return ir.iter().map(|param| build_param(&param.name, param, None)).collect();
    }
    let mut rest = ir.iter();
    let mut params = Vec::new();
    for described in source {
        let mismatch = || {
            Refusal::new(
                Code::Signature,
                format!("the parameters of `{function}` differ from what its debug information says"),
            )
        };
        let first = rest.next().ok_or_else(mismatch)?;
        if let SourceType::Slice { .. } = described.ty {
            // The length is the slice's second half, never given by the user.
            rest.next().filter(|length| length.ty == "i64").ok_or_else(mismatch)?;
        }
        params.push(build_param(&described.name, first, Some(described.ty))?);
    }
    match rest.next() {
        None => Ok(params),
        Some(_) => Err(Refusal::new(
            Code::Signature,
            format!("`{function}` has hidden parameters, which grad cannot supply"),
        )),
    }
}

fn build_param(name: &str, ir: &IrParam, source: Option<SourceType>) -> Result<Param, Refusal> {
    let shape = find_shape(ir, source).ok_or_else(|| refuse_param(name, ir, source))?;
    let extension = ir.attributes.iter().find(|a| ["zeroext", "signext"].contains(&a.as_str())).cloned();
    Ok(Param { name: name.to_string(), shape, extension })
}

fn find_shape(ir: &IrParam, source: Option<SourceType>) -> Option<Shape> {
    if ir.attributes.iter().any(|a| a.starts_with("byval") || a.starts_with("sret")) {
        return None;
    }
    match (ir.ty.as_str(), source) {
        // Without a description, a pointer most likely leads to doubles.
        ("ptr", None) => Some(Shape::Floats(Float::Double)),
        // A Fortran argument is a pointer whose description is the scalar itself.
        ("ptr", Some(SourceType::Float(bits) | SourceType::FloatsBehind(bits))) => {
            Float::from_bits(bits).map(Shape::Floats)
        }
        ("ptr", Some(SourceType::Integer(bits) | SourceType::IntegersBehind(bits))) => {
            Some(Shape::Integers(bits))
        }
        ("ptr", Some(SourceType::Slice { float_bits: Some(bits) })) => {
            Float::from_bits(bits).map(Shape::Slice)
        }
        (ty, None | Some(SourceType::Float(_))) if Float::from_ir(ty).is_some() => {
            Float::from_ir(ty).map(Shape::Float)
        }
        (ty, None | Some(SourceType::Integer(_))) => {
            ty.strip_prefix('i').and_then(|bits| bits.parse().ok()).map(Shape::Integer)
        }
        _ => None,
    }
}

fn refuse_param(name: &str, ir: &IrParam, source: Option<SourceType>) -> Refusal {
    let found = match source {
        Some(SourceType::Descriptor) => {
            "is an array with a descriptor; declare its shape, as in x(n), to give it by `--at`".to_string()
        }
        _ => format!(
            "has a type that grad cannot take ({}); scalars, pointers and arrays of scalars work",
            ir.ty
        ),
    };
    Refusal::new(Code::Signature, format!("parameter `{name}` {found}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
define double @_ZN1m1fEd(double %x, i8 signext %n) !dbg !1 {
define double @plain(ptr %data, i32 %n, float %w) {
define void @nothing(double %x) {
define double @bystruct(ptr byval(%s) %x) {
define double @slice(ptr %x.0, i64 %x.1) !dbg !7 {
!1 = distinct !DISubprogram(name: \"f\", scope: !2)
!2 = !DINamespace(name: \"m\", scope: null)
!3 = !DILocalVariable(name: \"x\", arg: 1, scope: !1, type: !5)
!4 = !DILocalVariable(name: \"count\", arg: 2, scope: !1, type: !6)
!5 = !DIBasicType(name: \"double\", size: 64, encoding: DW_ATE_float)
!6 = !DIBasicType(name: \"char\", size: 8, encoding: DW_ATE_signed_char)
!7 = distinct !DISubprogram(name: \"slice\", scope: null)
!8 = !DILocalVariable(name: \"v\", arg: 1, scope: !7, type: !9)
!9 = !DICompositeType(tag: DW_TAG_structure_type, name: \"&[f64]\", elements: !10)
!10 = !{!11}
!11 = !DIDerivedType(tag: DW_TAG_member, name: \"data_ptr\", baseType: !12)
!12 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !5)
";

    fn refusal(wanted: &str) -> String {
        find_signature(TEXT, wanted).unwrap_err().to_string()
    }

    #[test]
    fn names_and_types_come_from_debug_information() {
        for wanted in ["f", "m::f", "_ZN1m1fEd"] {
            let f = find_signature(TEXT, wanted).unwrap();
            assert_eq!((f.name.as_str(), f.symbol.as_str(), f.ret), ("f", "_ZN1m1fEd", Float::Double));
            assert_eq!(f.params[1].name, "count");
            assert_eq!(f.params[1].shape, Shape::Integer(8));
            assert_eq!(f.params[1].extension.as_deref(), Some("signext"));
        }
    }

    #[test]
    fn without_debug_information_the_ir_has_to_do() {
        let f = find_signature(TEXT, "plain").unwrap();
        let shapes: Vec<_> = f.params.iter().map(|param| param.shape).collect();
        assert_eq!(shapes, [Shape::Floats(Float::Double), Shape::Integer(32), Shape::Float(Float::Single)]);
    }

    #[test]
    fn a_slice_takes_two_ir_parameters() {
        let f = find_signature(TEXT, "slice").unwrap();
        assert_eq!(
            f.params,
            [Param { name: "v".into(), shape: Shape::Slice(Float::Double), extension: None }]
        );
    }

    #[test]
    fn refusals_say_what_was_found() {
        assert!(refusal("plane").contains("did you mean `plain`?"));
        assert!(refusal("completely_else").contains("static, private or generic"));
        assert!(refusal("nothing").contains("returns nothing"));
        assert!(refusal("bystruct").contains("parameter `x` has a type"));
    }

    #[test]
    fn template_arguments_are_no_scopes() {
        assert_eq!(last_component("m::f<std::complex>"), "f<std::complex>");
        for wanted in ["f", "m::f", "n::m::f", "f<double>", "m::f<double>", "_Z"] {
            assert!(is_called("n::m::f<double>", "_Z", wanted), "{wanted}");
        }
        assert!(!is_called("m::f<double>", "_Z", "g"));
    }
}
