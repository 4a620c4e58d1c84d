//! Compiles the contracts without protoc, with descriptors for reflection and the JSON mapping of events.
use std::error::Error;
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
    let editing = root.join("stillpoint/content/v1/editing.proto");
    let files: Vec<PathBuf> = files.into_iter().chain([editing]).collect();
    println!("cargo:rerun-if-changed={}", root.join("stillpoint").display());

    let descriptors = protox::compile(&files, [root])?;
    let encoded = descriptors.encode_to_vec();
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    fs::write(out.join("descriptors.bin"), &encoded)?;

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
