//! Modules that import one another in a circle.
//!
//! At each level the children of a module are compared: a file counts for the child that contains it. A parent and its children may name
//! each other. A name that a module re-exports counts for the module that defines it. Code under `#[cfg(test)]` is left out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::report;
use super::scan::{first_word, own_code, starts_a_word};
use super::tree::{at, manifests, name, read};

/// The page model: a block is a model, a model contains blocks, and the inspection of both returns blocks. One concept in several files.
const NOT_CHECKED: &str = "blocks";

/// A chain of re-exports is followed this far.
const REEXPORTS_MAX: usize = 8;

/// `crate::flows::steps` is `["flows", "steps"]`.
type ModulePath = Vec<String>;
type Modules = BTreeMap<ModulePath, Module>;
/// Parent, importing child and imported child, with the first place of the import.
type Edges = BTreeMap<(ModulePath, String, String), String>;

struct Module {
    file: PathBuf,
    text: String,
    /// What each imported name is.
    names: BTreeMap<String, ModulePath>,
}

/// One path of an import, such as `a::b` of `a::{b as c}`.
struct Leaf<'t> {
    path: Vec<&'t str>,
    /// `c`
    name: &'t str,
}

#[test]
fn modules_import_each_other_without_cycles() {
    let mut errors = Vec::new();
    for manifest in manifests() {
        let krate = manifest.parent().unwrap();
        if name(krate) == NOT_CHECKED {
            continue;
        }
        let src = krate.join("src");
        let mut roots = ["lib.rs", "main.rs"].map(|file| src.join(file)).into_iter();
        let main = roots.find(|file| file.exists()).unwrap();
        let mut modules = Modules::new();
        load(&mut modules, main, &src, Vec::new());
        errors.extend(cycles(modules));
    }
    report("move what both sides need into a module below them", &errors);
}

/// The module of a file, and those it declares, whose files are in `folder`.
fn load(modules: &mut Modules, file: PathBuf, folder: &Path, path: ModulePath) {
    let text = own_code(&read(&file));
    for child in declared(&text) {
        let below = [path.as_slice(), &[child.to_owned()]].concat();
        let child_file = folder.join(format!("{child}.rs"));
        load(modules, child_file, &folder.join(child), below);
    }
    modules.insert(path, Module::new(file, text));
}

impl Module {
    fn new(file: PathBuf, text: String) -> Self {
        let names = BTreeMap::new();
        Self { file, text, names }
    }
}

/// The modules with files of their own: `pub mod x;`.
fn declared(text: &str) -> Vec<&str> {
    let items = text.lines().map(without_visibility);
    items
        .filter_map(|item| item.strip_prefix("mod ")?.strip_suffix(';'))
        .collect()
}

fn without_visibility(line: &str) -> &str {
    let line = line.trim();
    match line.strip_prefix("pub(").and_then(|rest| rest.split_once(") ")) {
        Some((_, item)) => item,
        None => line.strip_prefix("pub ").unwrap_or(line),
    }
}

/// Each import that is part of a cycle: `crate::flows: api -> jobs (file:line)`.
fn cycles(mut modules: Modules) -> Vec<String> {
    let names: Vec<_> = modules
        .iter()
        .map(|(path, module)| names(&modules, path, module))
        .collect();
    for (module, names) in modules.values_mut().zip(names) {
        module.names = names;
    }
    let edges = edges(&modules);
    let in_cycles = edges
        .iter()
        .filter(|((parent, from, to), _)| reaches(&edges, parent, to, from));
    in_cycles
        .map(|((parent, from, to), place)| {
            let parent = ["crate".to_owned()].into_iter().chain(parent.iter().cloned());
            let parent = parent.collect::<Vec<_>>().join("::");
            format!("{parent}: {from} -> {to} ({place})")
        })
        .collect()
}

fn reaches(edges: &Edges, parent: &[String], from: &str, wanted: &str) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(here) = open.pop() {
        if here == wanted {
            return true;
        }
        let next = edges
            .keys()
            .filter(|(under, before, _)| under == parent && before == here);
        open.extend(next.map(|(_, _, to)| to.as_str()).filter(|to| seen.insert(*to)));
    }
    false
}

fn edges(modules: &Modules) -> Edges {
    let mut edges = Edges::new();
    for (from, module) in modules {
        for (offset, path) in written_paths(from, &module.text) {
            let to = defining_module(modules, path);
            let shared = from
                .iter()
                .zip(&to)
                .take_while(|(one, other)| one == other)
                .count();
            if let (Some(from_child), Some(to_child)) = (from.get(shared), to.get(shared)) {
                let edge = (from[..shared].to_vec(), from_child.clone(), to_child.clone());
                edges
                    .entry(edge)
                    .or_insert_with(|| at(&module.file, &module.text, offset));
            }
        }
    }
    edges
}

/// All paths from `crate`, `self` or `super`, in imports and elsewhere.
fn written_paths(from: &[String], text: &str) -> Vec<(usize, ModulePath)> {
    let mut found = Vec::new();
    for start in ["crate::", "self::", "super::"] {
        for (offset, _) in text.match_indices(start) {
            if starts_a_word(text, offset) && !text[..offset].ends_with([':', '$']) {
                let mut leaves = Vec::new();
                read_tree(&text[offset..], &[], &mut leaves);
                let paths = leaves.iter().filter_map(|leaf| absolute(from, &leaf.path));
                found.extend(paths.map(|path| (offset, path)));
            }
        }
    }
    found
}

/// What the imports of a module name, also the relative ones of its children.
fn names(modules: &Modules, path: &[String], module: &Module) -> BTreeMap<String, ModulePath> {
    let mut names = BTreeMap::new();
    let mut offset = 0;
    for line in module.text.split_inclusive('\n') {
        let item = without_visibility(line);
        if item.starts_with("use ") {
            let start = offset + line.find("use ").unwrap() + "use ".len();
            let mut leaves = Vec::new();
            read_tree(&module.text[start..], &[], &mut leaves);
            for leaf in leaves {
                let of_child = || {
                    let relative: Vec<_> = ["self"].iter().chain(&leaf.path).copied().collect();
                    absolute(path, &relative).filter(|target| modules.contains_key(&target[..=path.len()]))
                };
                if let Some(target) = absolute(path, &leaf.path).or_else(of_child) {
                    names.insert(leaf.name.to_owned(), target);
                }
            }
        }
        offset += line.len();
    }
    names
}

/// Reads `a::{b, c as d}` and returns the text after it.
fn read_tree<'t>(text: &'t str, prefix: &[&'t str], leaves: &mut Vec<Leaf<'t>>) -> &'t str {
    let mut path = prefix.to_vec();
    let mut rest = text.trim_start();
    loop {
        if let Some(group) = rest.strip_prefix('{') {
            return read_group(group, &path, leaves);
        }
        let word = first_word(rest);
        if word.is_empty() {
            break;
        }
        path.push(word);
        rest = &rest[word.len()..];
        match rest.strip_prefix("::") {
            Some(next) => rest = next.trim_start(),
            None => break,
        }
    }
    let is_empty = path.len() == prefix.len() && !rest.starts_with('*');
    if path.last() == Some(&"self") && path.len() > 1 {
        path.pop();
    }
    let mut name = path.last().copied().unwrap_or_default();
    if let Some(after) = rest.trim_start().strip_prefix("as ") {
        name = first_word(after);
        rest = &after[name.len()..];
    }
    if !is_empty {
        leaves.push(Leaf { path, name });
    }
    rest.strip_prefix('*').unwrap_or(rest)
}

fn read_group<'t>(text: &'t str, prefix: &[&'t str], leaves: &mut Vec<Leaf<'t>>) -> &'t str {
    let mut rest = text;
    loop {
        rest = read_tree(rest, prefix, leaves).trim_start();
        match rest.strip_prefix(',') {
            Some(next) => rest = next,
            None => return rest.strip_prefix('}').unwrap_or(rest),
        }
    }
}

/// `None` for a path that begins at another crate or at an imported name.
fn absolute(from: &[String], path: &[&str]) -> Option<ModulePath> {
    let (mut base, mut rest) = match path.split_first()? {
        (&"crate", rest) => (Vec::new(), rest),
        (&"self", rest) => (from.to_vec(), rest),
        (&"super", _) => (from.to_vec(), path),
        _ => return None,
    };
    while let Some((&"super", after)) = rest.split_first() {
        base.pop();
        rest = after;
    }
    base.extend(rest.iter().map(|word| (*word).to_owned()));
    Some(base)
}

/// The module that defines what a path leads to.
fn defining_module(modules: &Modules, mut path: ModulePath) -> ModulePath {
    for _ in 0..REEXPORTS_MAX {
        let mut lengths = (0..=path.len()).rev();
        let length = lengths.find(|length| modules.contains_key(&path[..*length]));
        let length = length.unwrap_or(0);
        let name = path.get(length);
        let source = name.and_then(|name| modules.get(&path[..length])?.names.get(name));
        match source {
            Some(source) if *source != path[..=length] => {
                path = [source.as_slice(), &path[length + 1..]].concat();
            }
            _ => {
                path.truncate(length);
                return path;
            }
        }
    }
    path
}

fn made_up(files: &[(&str, &str)]) -> Vec<String> {
    let modules = files.iter().map(|(path, text)| {
        let names = path.split("::").filter(|name| !name.is_empty());
        let path: ModulePath = names.map(str::to_owned).collect();
        let file = PathBuf::from(format!("{}.rs", path.join("/")));
        (path, Module::new(file, own_code(text)))
    });
    cycles(modules.collect())
}

#[test]
fn a_cycle_of_modules_is_found() {
    let files = [
        ("", "mod a;\npub mod b;\nmod c;"),
        (
            "a",
            "use std::{fmt, io};\nuse crate::{\n    b::{self, Two as Three},\n    c::One,\n};",
        ),
        ("b", "pub mod deep;\npub use deep::Two;\nuse crate::c::*;"),
        ("b::deep", "fn f() -> super::super::a::Four {}"),
        (
            "c",
            "#[cfg(test)]\nmod tests {\n    use crate::a::One;\n}\nuse b::Other; // crate::b",
        ),
    ];
    assert_eq!(
        made_up(&files),
        ["crate: a -> b (a.rs:2)", "crate: b -> a (b/deep.rs:1)"]
    );
}

#[test]
fn a_cycle_through_a_name_of_the_parent_is_found() {
    let files = [
        ("", "mod x;"),
        ("x", "mod one;\nmod two;\npub(crate) use one::One;\nuse two::Two;"),
        ("x::one", "use super::Two;"),
        ("x::two", "use crate::x::One;\nuse super::{missing, One as Uno};"),
    ];
    assert_eq!(
        made_up(&files),
        [
            "crate::x: one -> two (x/one.rs:1)",
            "crate::x: two -> one (x/two.rs:1)"
        ]
    );
    let (parent_and_child, _) = files.split_at(3);
    assert_eq!(made_up(parent_and_child), [] as [String; 0]);
}
