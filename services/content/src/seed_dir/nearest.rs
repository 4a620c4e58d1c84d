//! Suggests the nearest known name for a misspelt one.

/// The known name that differs from `name` by the fewest letters, if they are few.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let most = name.chars().count().div_ceil(3);
    known
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(steps, _)| *steps <= most)
        .min_by_key(|(steps, _)| *steps)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be put in, taken out or changed.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (done, letter) in from.to_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = done + 1;
        for (column, other) in to.iter().enumerate() {
            let change = diagonal + usize::from(letter != *other);
            diagonal = row[column + 1];
            row[column + 1] = change.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_another_word_is_not() {
        let known = ["title", "description", "buttons"];
        assert_eq!(nearest("titel", known.into_iter()), Some("title"));
        assert_eq!(nearest("Buttons", known.into_iter()), Some("buttons"));
        assert_eq!(nearest("discription", known.into_iter()), Some("description"));
        assert_eq!(nearest("parallax", known.into_iter()), None);
        assert_eq!(nearest("", known.into_iter()), None);
    }

    #[test]
    fn the_distance_counts_letters() {
        assert_eq!(
            (
                distance("kitten", "sitting"),
                distance("", "abc"),
                distance("a", "a")
            ),
            (3, 3, 0)
        );
    }
}
