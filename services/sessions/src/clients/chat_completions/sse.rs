//! Parses the `data` parser of server-sent events from chunks of bytes. The protocol sends one line per event.
use crate::ports::ModelError;

/// A usual line has a few hundred bytes.
const MAX_LINE_BYTES: usize = 64 * 1024;

#[derive(Default)]
pub struct SseParser {
    pending: Vec<u8>,
}

impl SseParser {
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<String>, ModelError> {
        self.pending.extend_from_slice(bytes);
        let mut data = Vec::new();
        let mut begin = 0;
        while let Some(length) = self.pending[begin..].iter().position(|byte| *byte == b'\n') {
            data.extend(data_value(&self.pending[begin..begin + length])?);
            begin += length + 1;
        }
        self.pending.drain(..begin);
        if self.pending.len() > MAX_LINE_BYTES {
            return Err(ModelError::Incomplete("a line is too long".to_owned()));
        }
        Ok(data)
    }
}

/// The value of a `data` line; comments and other fields are ignored.
fn data_value(line: &[u8]) -> Result<Option<String>, ModelError> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let Some(value) = line.strip_prefix(b"data:") else {
        return Ok(None);
    };
    let value = value.strip_prefix(b" ").unwrap_or(value);
    let text =
        std::str::from_utf8(value).map_err(|_| ModelError::Incomplete("a line is not UTF-8".to_owned()))?;
    Ok(Some(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined_across_chunks() {
        let text = "data: ağ\r\n\r\nevent: x\n: y\ndata:b\n\n".as_bytes();
        for size in 1..text.len() {
            let mut parser = SseParser::default();
            let found: Vec<String> = text
                .chunks(size)
                .flat_map(|part| parser.push(part).unwrap())
                .collect();
            assert_eq!(found, ["ağ", "b"], "{size} bytes at a time");
        }
    }

    #[test]
    fn too_long_line_is_an_error() {
        assert!(
            SseParser::default()
                .push(&vec![b'x'; MAX_LINE_BYTES + 1])
                .is_err()
        );
    }
}
