//! `backsweep explain FILE --graph F`: the linearised graphs of straight-line code, before and after elimination.
//!
//! The plugin prints them, as text or for Graphviz; what is asked for is picked out of that, and drawn where a drawing is wanted.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use layout::backends::svg::SVGWriter;
use layout::gv::{DotParser, GraphBuilder};

use super::{ask_of, print_pass};
use crate::install::Install;
use crate::refusal::{Code, Refusal};
use crate::scratch::Scratch;
use crate::signature::find_symbol;

/// Which graphs are shown of a function, and where.
pub struct Page<'a> {
    pub block: Option<u32>,
    pub output: Option<&'a Path>,
}

impl Page<'_> {
    pub fn show(
        &self,
        text: &str,
        wanted: &str,
        install: &Install,
        scratch: &Scratch,
    ) -> Result<(), Refusal> {
        let symbol = find_symbol(text, wanted)?;
        let Some(output) = self.output else {
            let page = ask_of(text, wanted, scratch, &|path| {
                Ok(find_text(&print_pass("graph", path, install)?, &symbol))
            })?;
            print!("{}", self.regions(&page)?);
            return Ok(());
        };
        let kind = output.extension().and_then(|extension| extension.to_str());
        if !matches!(kind, Some("svg" | "dot")) {
            return Err(Refusal::new(
                Code::Writing,
                format!("{} is neither a drawing (.svg) nor a file for Graphviz (.dot)", output.display()),
            ));
        }
        let clusters = ask_of(text, wanted, scratch, &|path| {
            let found = find_clusters(&print_pass("graph-dot", path, install)?, &symbol);
            Ok((!found.is_empty()).then_some(found))
        })?;
        let dot = frame(&self.chosen(&clusters)?);
        let drawn = if kind == Some("svg") { draw(&dot)? } else { dot };
        fs::write(output, drawn).map_err(|error| {
            Refusal::new(Code::Writing, format!("cannot write {}: {error}", output.display()))
        })?;
        println!("{} has the graphs", output.display());
        Ok(())
    }

    /// The regions of a page of text, those of the block alone where one is asked for.
    fn regions(&self, page: &str) -> Result<String, Refusal> {
        let Some(block) = self.block else { return Ok(page.to_string()) };
        let wanted = format!("^{block}");
        let mut blocks = BTreeSet::new();
        let mut chosen = String::new();
        let mut inside = false;
        for line in page.lines().skip(1) {
            if let Some(region) = line.strip_prefix("  region ") {
                let heads = region.split(':').next().unwrap_or(region);
                inside = heads.split(' ').any(|head| head == wanted);
                blocks
                    .extend(heads.split(' ').filter_map(|head| head.strip_prefix('^')?.parse::<u32>().ok()));
            }
            if inside {
                chosen += &format!("{line}\n");
            }
        }
        let heading = page.lines().next().unwrap_or_default();
        if chosen.is_empty() { Err(no_such(block, &blocks)) } else { Ok(format!("{heading}\n{chosen}")) }
    }

    fn chosen(&self, clusters: &[Cluster]) -> Result<String, Refusal> {
        let here = |cluster: &&Cluster| self.block.is_none_or(|block| cluster.block == block);
        let chosen: String = clusters.iter().filter(here).map(|cluster| cluster.text.as_str()).collect();
        match self.block {
            Some(block) if chosen.is_empty() => {
                Err(no_such(block, &clusters.iter().map(|cluster| cluster.block).collect()))
            }
            _ => Ok(chosen),
        }
    }
}

/// One graph as Graphviz is told of it.
struct Cluster {
    block: u32,
    text: String,
}

/// Whether the plugin's name of a function is that of the copy it has made of one, or its own.
fn is_of(name: &str, symbol: &str) -> bool {
    name.strip_prefix("backsweep.primal.").unwrap_or(name) == symbol
}

fn find_text(printed: &str, symbol: &str) -> Option<String> {
    let heads = |line: &str| line.strip_prefix("function @").is_some_and(|name| is_of(name, symbol));
    let mut lines = printed.lines().skip_while(|line| !heads(line));
    let first = lines.next()?;
    let rest = lines.take_while(|line| line.starts_with(' '));
    Some([first].into_iter().chain(rest).map(|line| format!("{line}\n")).collect())
}

/// The clusters of a function: each is called by the function, the block where it begins, its number there, and which of two it is.
fn find_clusters(printed: &str, symbol: &str) -> Vec<Cluster> {
    let mut found: Vec<Cluster> = Vec::new();
    let mut inside = false;
    for line in printed.lines() {
        if let Some(name) =
            line.strip_prefix("  subgraph \"cluster ").and_then(|rest| rest.strip_suffix("\" {"))
        {
            let mut parts = name.rsplitn(4, '.').skip(2);
            let block = parts.next().and_then(|block| block.parse().ok());
            let of = parts.next().is_some_and(|function| is_of(function, symbol));
            inside = of && block.is_some();
            if let (true, Some(block)) = (inside, block) {
                found.push(Cluster { block, text: String::new() });
            }
        }
        if let (true, Some(cluster)) = (inside, found.last_mut()) {
            cluster.text += &format!("{line}\n");
        }
        inside &= line != "  }";
    }
    found
}

fn frame(clusters: &str) -> String {
    format!("digraph graphs {{\n  rankdir=BT;\n{clusters}}}\n")
}

fn draw(dot: &str) -> Result<String, Refusal> {
    let mut parser = DotParser::new(dot);
    let graph = parser
        .process()
        .map_err(|error| Refusal::new(Code::Fault, format!("the plugin's graph cannot be read: {error}")))?;
    let mut builder = GraphBuilder::new();
    builder.visit_graph(&graph);
    let mut drawing = SVGWriter::new();
    builder.get().do_it(false, false, false, &mut drawing);
    Ok(drawing.finalize())
}

fn no_such(block: u32, blocks: &BTreeSet<u32>) -> Refusal {
    let there: Vec<String> = blocks.iter().map(u32::to_string).collect();
    Refusal::new(
        Code::Unexplained,
        format!("no graph begins in block {block}; there are graphs in {}", there.join(", ")),
    )
}
