//! Things by their id, in the order they came.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::DeserializeOwned};

pub struct Shelf<T> {
    rows: BTreeMap<u64, (String, T)>,
    places: HashMap<String, u64>,
    next_place: u64,
}

impl<T> Default for Shelf<T> {
    fn default() -> Self {
        Self {
            rows: BTreeMap::new(),
            places: HashMap::new(),
            next_place: 0,
        }
    }
}

impl<T> Shelf<T> {
    /// What was there under this id keeps its place.
    pub fn put(&mut self, id: &str, thing: T) {
        let place = self.places.get(id).copied().unwrap_or(self.next_place);
        if place == self.next_place {
            self.next_place += 1;
            self.places.insert(id.to_owned(), place);
        }
        self.rows.insert(place, (id.to_owned(), thing));
    }

    pub fn get(&self, id: &str) -> Option<&T> {
        self.rows.get(self.places.get(id)?).map(|(_, thing)| thing)
    }

    pub fn get_mut(&mut self, id: &str) -> Option<&mut T> {
        self.rows.get_mut(self.places.get(id)?).map(|(_, thing)| thing)
    }

    pub fn remove(&mut self, id: &str) -> Option<T> {
        let place = self.places.remove(id)?;
        self.rows.remove(&place).map(|(_, thing)| thing)
    }

    pub fn newest_first(&self) -> impl Iterator<Item = &T> {
        self.rows.values().rev().map(|(_, thing)| thing)
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Forgets the oldest that are more than this many.
    pub fn keep(&mut self, most: usize) {
        while self.rows.len() > most {
            if let Some((_, (id, _))) = self.rows.pop_first() {
                self.places.remove(&id);
            }
        }
    }
}

impl<T: Serialize> Serialize for Shelf<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.rows.values())
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Shelf<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut shelf = Self::default();
        for (id, thing) in Vec::<(String, T)>::deserialize(deserializer)? {
            shelf.put(&id, thing);
        }
        Ok(shelf)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_are_forgotten_and_places_are_kept() {
        let mut shelf = Shelf::default();
        for (id, thing) in [("a", 1), ("b", 2), ("c", 3), ("b", 4)] {
            shelf.put(id, thing);
        }
        assert_eq!(shelf.newest_first().copied().collect::<Vec<_>>(), [3, 4, 1]);
        shelf.keep(2);
        let text = serde_json::to_string(&shelf).unwrap();
        let again: Shelf<i32> = serde_json::from_str(&text).unwrap();
        assert_eq!((again.get("a"), again.get("b"), again.len()), (None, Some(&4), 2));
    }
}
