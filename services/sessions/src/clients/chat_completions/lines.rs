//! The data of server-sent events, out of bytes that are cut anywhere. The protocol sends one line for each event.
use crate::ports::WriterError;

/// A chunk has a few hundred bytes.
const LINE_MAX: usize = 64 * 1024;

#[derive(Default)]
pub struct Lines {
    rest: Vec<u8>,
}

impl Lines {
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<String>, WriterError> {
        self.rest.extend_from_slice(bytes);
        let mut data = Vec::new();
        let mut begin = 0;
        while let Some(length) = self.rest[begin..].iter().position(|byte| *byte == b'\n') {
            data.extend(field(&self.rest[begin..begin + length])?);
            begin += length + 1;
        }
        self.rest.drain(..begin);
        if self.rest.len() > LINE_MAX {
            return Err(WriterError::BrokenOff("a line without an end".to_owned()));
        }
        Ok(data)
    }
}

/// The value of a `data` line; comments and other fields say nothing to us.
fn field(line: &[u8]) -> Result<Option<String>, WriterError> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let Some(value) = line.strip_prefix(b"data:") else {
        return Ok(None);
    };
    let value = value.strip_prefix(b" ").unwrap_or(value);
    let text =
        std::str::from_utf8(value).map_err(|_| WriterError::BrokenOff("a line is no text".to_owned()))?;
    Ok(Some(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_however_they_are_cut() {
        let text = "data: ağ\r\n\r\nevent: x\n: y\ndata:b\n\n".as_bytes();
        for size in 1..text.len() {
            let mut lines = Lines::default();
            let found: Vec<String> = text
                .chunks(size)
                .flat_map(|part| lines.push(part).unwrap())
                .collect();
            assert_eq!(found, ["ağ", "b"], "{size} bytes at a time");
        }
    }

    #[test]
    fn a_line_without_an_end_is_not_waited_for() {
        assert!(Lines::default().push(&vec![b'x'; LINE_MAX + 1]).is_err());
    }
}
