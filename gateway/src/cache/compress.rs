//! Compression, done once when an answer is stored.
use std::io::Write;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Below this an encoding saves no packet.
const MIN_BYTES: usize = 512;

/// What costs more time than it saves bytes is left to files that live for ever.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompressionLevel {
    Page,
    Asset,
}

impl CompressionLevel {
    fn brotli_quality(self) -> i32 {
        match self {
            Self::Page => 9,
            Self::Asset => 11,
        }
    }
}

/// Whether a media type is text that shrinks.
pub fn is_compressible(content_type: &str) -> bool {
    let essence = content_type.split(';').next().unwrap_or_default().trim();
    essence.starts_with("text/")
        || essence.ends_with("+xml")
        || essence.ends_with("+json")
        || matches!(
            essence,
            "application/json"
                | "application/javascript"
                | "application/xml"
                | "application/wasm"
                | "image/x-icon"
        )
}

/// `None` where it would not be smaller.
pub fn brotli(body: &[u8], effort: CompressionLevel) -> Option<Bytes> {
    if body.len() < MIN_BYTES {
        return None;
    }
    let params = brotli::enc::BrotliEncoderParams {
        quality: effort.brotli_quality(),
        size_hint: body.len(),
        ..Default::default()
    };
    let mut packed = Vec::with_capacity(body.len() / 3);
    brotli::BrotliCompress(&mut &*body, &mut packed, &params).ok()?;
    (packed.len() < body.len()).then(|| packed.into())
}

/// `None` where it would not be smaller.
pub fn gzip(body: &[u8]) -> Option<Bytes> {
    if body.len() < MIN_BYTES {
        return None;
    }
    let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 3), Compression::best());
    encoder.write_all(body).ok()?;
    let packed = encoder.finish().ok()?;
    (packed.len() < body.len()).then(|| packed.into())
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn both_encodings_give_the_text_back() {
        let text = "calm and quiet, ".repeat(200);
        let mut plain = String::new();
        brotli::Decompressor::new(&*brotli(text.as_bytes(), CompressionLevel::Page).unwrap(), 4096)
            .read_to_string(&mut plain)
            .unwrap();
        assert_eq!(plain, text);
        plain.clear();
        flate2::read::GzDecoder::new(&*gzip(text.as_bytes()).unwrap())
            .read_to_string(&mut plain)
            .unwrap();
        assert_eq!(plain, text);
    }

    #[test]
    fn what_would_not_shrink_is_left_alone() {
        assert!(gzip(b"short").is_none());
        assert!(brotli(b"short", CompressionLevel::Asset).is_none());
        let noise: Vec<u8> = (0..4096).map(|_| rand::random()).collect();
        assert!(gzip(&noise).is_none());
        assert!(brotli(&noise, CompressionLevel::Page).is_none());
    }

    #[test]
    fn text_shrinks_and_pictures_do_not() {
        for kind in [
            "text/html; charset=utf-8",
            "text/x-script",
            "image/svg+xml",
            "application/manifest+json",
        ] {
            assert!(is_compressible(kind), "{kind}");
        }
        for kind in ["image/png", "font/woff2", "application/octet-stream", ""] {
            assert!(!is_compressible(kind), "{kind}");
        }
    }
}
