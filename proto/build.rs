//! Compiles the contracts without protoc, with descriptors for reflection, the JSON mapping of events and their subjects.
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use prost::Message;

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files: Vec<PathBuf> = [
        "common",
        "content",
        "auth",
        "checkout",
        "sessions",
        "analytics",
        "events",
        "export",
    ]
    .iter()
    .map(|package| root.join(format!("stillpoint/{package}/v1/{package}.proto")))
    .collect();
    let others = ["content/v1/editing.proto", "common/v1/errors.proto"];
    let others = others.map(|file| root.join("stillpoint").join(file));
    let files: Vec<PathBuf> = files.into_iter().chain(others).collect();
    println!("cargo:rerun-if-changed={}", root.join("stillpoint").display());

    let mut compiler = protox::Compiler::new([root])?;
    compiler
        .include_source_info(true)
        .include_imports(true)
        .open_files(&files)?;
    let descriptors = compiler.file_descriptor_set();
    let encoded = descriptors.encode_to_vec();
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    fs::write(out.join("descriptors.bin"), &encoded)?;
    fs::write(out.join("stillpoint.events.v1.subjects.rs"), subjects(&compiler)?)?;

    tonic_prost_build::configure()
        .compile_well_known_types(true)
        .extern_path(".google.protobuf", "::pbjson_types")
        // Sorted maps encode the same bytes every time: request fingerprints depend on it.
        .btree_map(".")
        .compile_fds(descriptors)?;
    pbjson_build::Builder::new()
        .register_descriptors(&encoded)?
        .btree_map([".stillpoint"])
        // The contract only grows: a reader must accept fields that are newer than itself.
        .ignore_unknown_fields()
        .ignore_unknown_enum_variants()
        .build(&[".stillpoint.common", ".stillpoint.events"])?;
    pbjson_build::Builder::new()
        .register_descriptors(&encoded)?
        .btree_map([".stillpoint"])
        // Names as everywhere else in the HTTP API.
        .preserve_proto_field_names()
        .emit_fields()
        .build(&[".stillpoint.export"])?;
    Ok(())
}

/// `Event` for every message of the stream, and the table of all subjects.
fn subjects(compiler: &protox::Compiler) -> Result<String, Box<dyn Error>> {
    let pool = compiler.descriptor_pool();
    let option = pool
        .get_extension_by_name("stillpoint.events.v1.subject")
        .ok_or("events.proto has no option `subject`")?;
    let (mut impls, mut table) = (String::new(), String::new());
    let messages = pool
        .all_messages()
        .filter(|message| message.package_name() == "stillpoint.events.v1" && !message.is_map_entry());
    for message in messages {
        let (name, options) = (message.name(), message.options());
        let value = options.get_extension(&option);
        let subject = value.as_str().unwrap_or_default();
        if !subject.starts_with("stillpoint.") || subject.contains(char::is_whitespace) {
            return Err(format!("{name} has no option `subject`").into());
        }
        writeln!(table, "(\"{name}\", \"{subject}\"),")?;
        match subject.split_once('{').zip(subject.split_once('}')) {
            None => writeln!(
                impls,
                "impl super::Event for {name} {{ const SUBJECT: &'static str = \"{subject}\"; }}"
            )?,
            Some(((start, _), (_, end))) => writeln!(
                impls,
                "impl {name} {{
                    /// Filter of all its subjects.
                    pub const SUBJECTS: &'static str = \"{start}*{end}\";
                    pub fn subject(part: &str) -> String {{ format!(\"{start}{{part}}{end}\") }}
                }}"
            )?,
        }
    }
    Ok(format!(
        "{impls}\n/// Each message with its subject.\npub const SUBJECTS: &[(&str, &str)] = &[{table}];\n"
    ))
}
