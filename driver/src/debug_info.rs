//! Debug information in textual IR: names of functions, names and types of their parameters.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::ir_text::{leading_number, split_outside};

/// The metadata nodes of a module by number.
#[derive(Debug, Default)]
pub struct DebugInfo {
    nodes: HashMap<u32, Node>,
}

/// `!7 = !DIBasicType(name: "double", size: 64)`, or a tuple `!8 = !{!1, !2}` whose members have no keys.
#[derive(Debug)]
struct Node {
    class: String,
    fields: HashMap<String, String>,
    members: Vec<u32>,
}

/// What debug information says of a parameter's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceType {
    Float(u32),
    Integer(u32),
    /// A pointer, reference or array of scalars.
    FloatsBehind(u32),
    IntegersBehind(u32),
    /// A pointer and a length in two IR parameters.
    Slice {
        float_bits: Option<u32>,
    },
    /// A Fortran array descriptor.
    Descriptor,
    Other,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceParam {
    pub name: String,
    pub ty: SourceType,
}

impl DebugInfo {
    pub fn read(text: &str) -> DebugInfo {
        let nodes = text.lines().filter(|line| line.starts_with('!')).filter_map(read_node).collect();
        DebugInfo { nodes }
    }

    /// The name in the source, with the scopes around it: `inner::f`.
    pub fn qualified_name(&self, subprogram: u32) -> Option<String> {
        let mut name = self.name(subprogram)?.to_string();
        let mut scope = self.reference(subprogram, "scope");
        while let Some(id) = scope {
            let node = self.nodes.get(&id)?;
            if let ("DINamespace" | "DICompositeType" | "DIModule", Some(outer)) =
                (node.class.as_str(), self.name(id))
            {
                name = format!("{outer}::{name}");
            }
            scope = self.reference(id, "scope");
        }
        Some(name)
    }

    /// Where a source file lies that was compiled under this name.
    pub fn path_of(&self, file: &str) -> PathBuf {
        let files = self.nodes.iter().filter(|(_, node)| node.class == "DIFile");
        let own = files.filter(|(_, node)| {
            node.fields.get("filename").is_some_and(|name| name.trim_matches('"') == file)
        });
        let directory = own.filter_map(|(_, node)| node.fields.get("directory")).min();
        directory.map_or(PathBuf::from(file), |directory| Path::new(directory.trim_matches('"')).join(file))
    }

    /// The file and line of a `DILocation`.
    pub fn location(&self, id: u32) -> Option<(String, u32)> {
        let line = self.nodes.get(&id).filter(|node| node.class == "DILocation")?.fields.get("line")?;
        let mut scope = self.reference(id, "scope")?;
        let file = loop {
            match self.reference(scope, "file") {
                Some(file) => break file,
                None => scope = self.reference(scope, "scope")?,
            }
        };
        let file = self.nodes.get(&file)?.fields.get("filename")?;
        Some((file.trim_matches('"').to_string(), line.parse().ok().filter(|line| *line > 0)?))
    }

    /// The parameters of a function in order.
    pub fn params(&self, subprogram: u32) -> Vec<SourceParam> {
        let mut found: Vec<(u32, SourceParam)> = self
            .nodes
            .iter()
            .filter(|(_, node)| node.class == "DILocalVariable")
            .filter(|&(&id, _)| self.reference(id, "scope") == Some(subprogram))
            .filter_map(|(&id, node)| {
                let position = node.fields.get("arg")?.parse().ok()?;
                let ty = self.reference(id, "type").map_or(SourceType::Other, |ty| self.classify(ty));
                Some((position, SourceParam { name: self.name(id)?.to_string(), ty }))
            })
            .collect();
        found.sort_by_key(|(position, _)| *position);
        // Inlining may repeat a variable; the position decides.
        found.dedup_by_key(|(position, _)| *position);
        found.into_iter().map(|(_, param)| param).collect()
    }

    fn classify(&self, ty: u32) -> SourceType {
        let Some(ty) = self.strip_qualifiers(ty) else { return SourceType::Other };
        if let Some(scalar) = self.scalar(ty) {
            return scalar;
        }
        match self.tag(ty) {
            "DW_TAG_pointer_type" | "DW_TAG_reference_type" => self.classify_behind(ty),
            "DW_TAG_array_type" if self.has_descriptor(ty) => SourceType::Descriptor,
            "DW_TAG_array_type" => self.classify_behind(ty),
            "DW_TAG_structure_type" => self.classify_slice(ty),
            _ => SourceType::Other,
        }
    }

    fn classify_behind(&self, ty: u32) -> SourceType {
        let mut element = self.reference(ty, "baseType").and_then(|base| self.strip_qualifiers(base));
        // A pointer to an array counts as a pointer to its elements.
        while let Some(id) = element.filter(|&id| self.tag(id) == "DW_TAG_array_type") {
            if self.has_descriptor(id) {
                return SourceType::Descriptor;
            }
            element = self.reference(id, "baseType").and_then(|base| self.strip_qualifiers(base));
        }
        match element.and_then(|id| self.scalar(id)) {
            Some(SourceType::Float(bits)) => SourceType::FloatsBehind(bits),
            Some(SourceType::Integer(bits)) => SourceType::IntegersBehind(bits),
            _ => SourceType::Other,
        }
    }

    /// A Rust slice is a structure whose first member is called `data_ptr`.
    fn classify_slice(&self, ty: u32) -> SourceType {
        let members = self.reference(ty, "elements").and_then(|tuple| self.nodes.get(&tuple));
        let data = members.and_then(|tuple| {
            tuple.members.iter().copied().find(|&member| self.name(member) == Some("data_ptr"))
        });
        let Some(pointer) = data.and_then(|member| self.reference(member, "baseType")) else {
            return SourceType::Other;
        };
        match self.classify_behind(pointer) {
            SourceType::FloatsBehind(bits) => SourceType::Slice { float_bits: Some(bits) },
            SourceType::IntegersBehind(_) => SourceType::Slice { float_bits: None },
            _ => SourceType::Other,
        }
    }

    fn scalar(&self, ty: u32) -> Option<SourceType> {
        let node = self.nodes.get(&ty).filter(|node| node.class == "DIBasicType")?;
        let bits = node.fields.get("size")?.parse().ok()?;
        match node.fields.get("encoding")?.as_str() {
            "DW_ATE_float" => Some(SourceType::Float(bits)),
            "DW_ATE_complex_float" | "DW_ATE_imaginary_float" => None,
            _ => Some(SourceType::Integer(bits)),
        }
    }

    /// Fortran describes an array in a descriptor by where its data is.
    fn has_descriptor(&self, ty: u32) -> bool {
        self.nodes.get(&ty).is_some_and(|node| node.fields.contains_key("dataLocation"))
    }

    fn strip_qualifiers(&self, mut ty: u32) -> Option<u32> {
        const QUALIFIERS: [&str; 4] =
            ["DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type", "DW_TAG_restrict_type"];
        while QUALIFIERS.contains(&self.tag(ty)) {
            ty = self.reference(ty, "baseType")?;
        }
        Some(ty)
    }

    fn tag(&self, id: u32) -> &str {
        self.nodes.get(&id).and_then(|node| node.fields.get("tag")).map_or("", String::as_str)
    }

    fn name(&self, id: u32) -> Option<&str> {
        self.nodes.get(&id)?.fields.get("name").map(|name| name.trim_matches('"'))
    }

    fn reference(&self, id: u32, field: &str) -> Option<u32> {
        leading_number(self.nodes.get(&id)?.fields.get(field)?.strip_prefix('!')?)
    }
}

fn read_node(line: &str) -> Option<(u32, Node)> {
    let (id, text) = line.strip_prefix('!')?.split_once(" = ")?;
    let text = text.trim_start_matches("distinct ").strip_prefix('!')?;
    let (class, body) = text.split_at(text.find(['(', '{'])?);
    let body = body.get(1..body.len().checked_sub(1)?)?;
    let parts = split_outside(body, |c| c == ',');
    let members = parts.iter().filter_map(|part| leading_number(part.trim().strip_prefix('!')?)).collect();
    let fields = parts
        .iter()
        .filter_map(|part| part.trim().split_once(": "))
        .map(|(key, value)| (key.to_string(), value.to_string()))
        .collect();
    Some((id.parse().ok()?, Node { class: class.to_string(), fields, members }))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
!0 = !{!1, !2}
!1 = !DIBasicType(name: "double", size: 64, encoding: DW_ATE_float)
!2 = !DIDerivedType(tag: DW_TAG_typedef, name: "real", baseType: !1)
!3 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !4, size: 64)
!4 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !2)
!5 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!6 = distinct !DISubprogram(name: "f", linkageName: "_Z1f", scope: !7, type: !0)
!7 = !DINamespace(name: "inner", scope: !8)
!8 = !DINamespace(name: "outer", scope: null)
!9 = !DILocalVariable(name: "n", arg: 2, scope: !6, line: 1, type: !5)
!10 = !DILocalVariable(name: "x", arg: 1, scope: !6, line: 1, type: !3)
!11 = !DILocalVariable(name: "local", scope: !6, line: 1, type: !3)
!12 = !DICompositeType(tag: DW_TAG_structure_type, name: "&[f64]", elements: !13)
!13 = !{!14, !15}
!14 = !DIDerivedType(tag: DW_TAG_member, name: "data_ptr", baseType: !3)
!15 = !DIDerivedType(tag: DW_TAG_member, name: "length", baseType: !5)
!16 = !DICompositeType(tag: DW_TAG_array_type, baseType: !1, elements: !0, dataLocation: !DIExpression(DW_OP_deref))
!17 = !DICompositeType(tag: DW_TAG_array_type, baseType: !1, elements: !0)
!18 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: null, size: 64)
!19 = !DIFile(filename: "sub/a.c", directory: "/home/me", checksumkind: CSK_MD5, checksum: "00")
"#;

    #[test]
    fn parameters_come_in_order_with_their_types() {
        let params = DebugInfo::read(TEXT).params(6);
        assert_eq!(params[0], SourceParam { name: "x".into(), ty: SourceType::FloatsBehind(64) });
        assert_eq!(params[1], SourceParam { name: "n".into(), ty: SourceType::Integer(32) });
        assert_eq!(params.len(), 2);
    }

    #[test]
    fn names_carry_their_scopes() {
        assert_eq!(DebugInfo::read(TEXT).qualified_name(6).as_deref(), Some("outer::inner::f"));
        assert_eq!(DebugInfo::read(TEXT).qualified_name(99), None);
    }

    #[test]
    fn files_lie_where_they_were_compiled() {
        let info = DebugInfo::read(TEXT);
        assert_eq!(info.path_of("sub/a.c"), Path::new("/home/me/sub/a.c"));
        assert_eq!(info.path_of("b.c"), Path::new("b.c"));
    }

    #[test]
    fn types_of_other_languages() {
        let info = DebugInfo::read(TEXT);
        assert_eq!(info.classify(12), SourceType::Slice { float_bits: Some(64) });
        assert_eq!(info.classify(16), SourceType::Descriptor);
        assert_eq!(info.classify(17), SourceType::FloatsBehind(64));
        assert_eq!(info.classify(18), SourceType::Other);
    }
}
