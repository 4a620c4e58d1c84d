//! Position of a reader in a reply, `air_….12`: the reply and the number of its last received event.
use std::fmt;
use std::str::FromStr;

use super::reply::ReplyId;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub reply_id: ReplyId,
    /// 0 before the first chunk.
    pub number: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a position in a reply")]
pub struct InvalidPosition;

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.reply_id, self.number)
    }
}

impl FromStr for Position {
    type Err = InvalidPosition;

    fn from_str(text: &str) -> Result<Self, InvalidPosition> {
        let (reply_id, number) = text.split_once('.').ok_or(InvalidPosition)?;
        let number: i32 = number.parse().map_err(|_| InvalidPosition)?;
        if number < 0 {
            return Err(InvalidPosition);
        }
        let reply_id = reply_id.parse().map_err(|_| InvalidPosition)?;
        Ok(Self { reply_id, number })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPLY: &str = "air_0193a1b200007000800000000000000a";

    #[test]
    fn display_and_parse_are_inverse() {
        let text = format!("{REPLY}.12");
        assert_eq!(text.parse::<Position>().unwrap().to_string(), text);
    }

    #[test]
    fn malformed_positions_are_rejected() {
        for wrong in [
            String::new(),
            "7".into(),
            REPLY.into(),
            format!("{REPLY}.-1"),
            format!("{REPLY}.x"),
            "ord_1.2".into(),
        ] {
            assert_eq!(wrong.parse::<Position>(), Err(InvalidPosition), "{wrong}");
        }
    }
}
