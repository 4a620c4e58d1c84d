//! Migrations are compiled in: a new one must rebuild the service.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
}
