//! Objects by id, in order of creation.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};

pub struct IndexedStore<T> {
    rows: BTreeMap<u64, (String, T)>,
    positions: HashMap<String, u64>,
    next_position: u64,
}

impl<T> Default for IndexedStore<T> {
    fn default() -> Self {
        Self {
            rows: BTreeMap::new(),
            positions: HashMap::new(),
            next_position: 0,
        }
    }
}

impl<T> IndexedStore<T> {
    /// Returns the object's position; a replaced object keeps its position.
    pub fn put(&mut self, id: &str, object: T) -> u64 {
        let position = self.positions.get(id).copied().unwrap_or(self.next_position);
        if position == self.next_position {
            self.next_position += 1;
            self.positions.insert(id.to_owned(), position);
        }
        self.rows.insert(position, (id.to_owned(), object));
        position
    }

    /// As [`Self::put`]; the oldest objects beyond `max` are dropped.
    pub fn put_bounded(&mut self, id: &str, object: T, max: usize) {
        self.put(id, object);
        while self.rows.len() > max {
            self.remove_oldest();
        }
    }

    pub fn get(&self, id: &str) -> Option<&T> {
        self.at(*self.positions.get(id)?)
    }

    pub fn get_mut(&mut self, id: &str) -> Option<&mut T> {
        let position = self.positions.get(id)?;
        self.rows.get_mut(position).map(|(_, object)| object)
    }

    pub fn at(&self, position: u64) -> Option<&T> {
        self.rows.get(&position).map(|(_, object)| object)
    }

    /// Returns the object with its position.
    pub fn remove(&mut self, id: &str) -> Option<(u64, T)> {
        let position = self.positions.remove(id)?;
        self.rows.remove(&position).map(|(_, object)| (position, object))
    }

    pub fn remove_oldest(&mut self) {
        if let Some((_, (id, _))) = self.rows.pop_first() {
            self.positions.remove(&id);
        }
    }

    pub fn newest_first(&self) -> impl Iterator<Item = &T> {
        self.rows.values().rev().map(|(_, object)| object)
    }

    pub fn oldest(&self) -> Option<&T> {
        self.rows.values().next().map(|(_, object)| object)
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }
}

impl<T: Serialize> Serialize for IndexedStore<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows.values())
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for IndexedStore<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut store = Self::default();
        for (id, object) in Vec::<(String, T)>::deserialize(deserializer)? {
            store.put(&id, object);
        }
        Ok(store)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oldest_objects_are_dropped_and_replaced_ones_keep_their_position() {
        let mut store = IndexedStore::default();
        for (id, object) in [("a", 1), ("b", 2), ("c", 3), ("b", 4)] {
            store.put(id, object);
        }
        assert_eq!(store.newest_first().copied().collect::<Vec<_>>(), [3, 4, 1]);
        store.put_bounded("c", 3, 2);
        let text = serde_json::to_string(&store).unwrap();
        let restored: IndexedStore<i32> = serde_json::from_str(&text).unwrap();
        assert_eq!(
            (restored.get("a"), restored.get("b"), restored.len()),
            (None, Some(&4), 2)
        );
    }
}
