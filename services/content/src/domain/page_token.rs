//! Opaque cursor of a list.

use std::str::FromStr;

/// What was listed last; the start of the list is the empty one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageToken {
    /// A path, or an item as tables name it.
    pub name: String,
    pub locale: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is not a token of an earlier answer")]
pub struct NotAToken;

impl PageToken {
    pub fn encode(&self) -> String {
        hex::encode(format!("{}\n{}", self.name, self.locale))
    }
}

impl FromStr for PageToken {
    type Err = NotAToken;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.is_empty() {
            return Ok(Self::default());
        }
        let bytes = hex::decode(text).map_err(|_| NotAToken)?;
        let decoded = String::from_utf8(bytes).map_err(|_| NotAToken)?;
        let (name, locale) = decoded.split_once('\n').ok_or(NotAToken)?;
        if decoded.contains('\0') {
            return Err(NotAToken);
        }
        Ok(Self {
            name: name.to_owned(),
            locale: locale.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_reads_back() {
        let token = PageToken {
            name: "/signup".to_owned(),
            locale: "tr".to_owned(),
        };
        assert_eq!(token.encode().parse(), Ok(token));
        assert_eq!("".parse(), Ok(PageToken::default()));
    }

    #[test]
    fn what_we_never_gave_out_is_refused() {
        for text in [
            "zz",
            "00",
            "abc",
            &hex::encode("no line break"),
            &hex::encode("a\nb\0"),
        ] {
            assert_eq!(text.parse::<PageToken>(), Err(NotAToken), "{text}");
        }
    }
}
