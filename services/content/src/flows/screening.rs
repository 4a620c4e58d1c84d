//! Keeps a block that cannot be shown from breaking its page.
//!
//! Every block was checked when it was published, so a bad one means that block types have changed since, or that
//! somebody wrote into the table. A snapshot never changes: what was found out about it once stays true.

use std::sync::Arc;

use moka::sync::Cache;

use crate::domain::{SnapshotId, StoredBlock};

/// Far more than are read between two restarts; an entry is a few bytes.
const MOST_SNAPSHOTS: u64 = 100_000;

pub struct Screening {
    /// The positions of blocks that cannot be shown, in ascending order.
    bad: Cache<SnapshotId, Arc<[usize]>>,
}

impl Default for Screening {
    fn default() -> Self {
        Self {
            bad: Cache::new(MOST_SNAPSHOTS),
        }
    }
}

impl Screening {
    /// Leaves out what cannot be shown; says so in the log the first time a snapshot is read.
    pub fn screen(&self, snapshot: SnapshotId, sections: &mut Vec<StoredBlock>) {
        let bad = self.bad.get_with(snapshot, || find_bad(snapshot, sections));
        if bad.is_empty() {
            return;
        }
        let mut position = 0;
        sections.retain(|_| {
            let good = bad.binary_search(&position).is_err();
            position += 1;
            good
        });
    }
}

fn find_bad(snapshot: SnapshotId, sections: &[StoredBlock]) -> Arc<[usize]> {
    let mut bad = Vec::new();
    for (position, block) in sections.iter().enumerate() {
        if let Err(fault) = blocks::parse(&block.component_name, block.props.get()) {
            tracing::error!(%snapshot, block = block.id, %fault, "a stored block cannot be shown and is left out");
            bad.push(position);
        }
    }
    bad.into()
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;

    fn block(id: &str, component_name: &str, props: &str) -> StoredBlock {
        StoredBlock {
            id: id.to_owned(),
            component_name: component_name.to_owned(),
            props: RawValue::from_string(props.to_owned()).unwrap(),
        }
    }

    #[test]
    fn unknown_and_broken_blocks_are_left_out_and_the_others_stay_in_order() {
        let screening = Screening::default();
        let snapshot = SnapshotId::new("2026-11-20T12:00:00Z".parse().unwrap());
        for _ in 0..2 {
            let mut sections = vec![
                block("a", "Heading", r#"{"text": "A"}"#),
                block("b", "Hologram", "{}"),
                block("c", "Heading", r#"{"text": 7}"#),
                block("d", "Heading", r#"{"text": "D", "newer": true}"#),
            ];
            screening.screen(snapshot, &mut sections);
            let ids: Vec<&str> = sections.iter().map(|block| block.id.as_str()).collect();
            assert_eq!(ids, ["a", "d"]);
        }
    }
}
