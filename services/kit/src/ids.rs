//! Typed ids: an `OrderId` cannot be passed where a `GiftId` is wanted.

use std::fmt;

use chrono::{DateTime, Utc};
use uuid::{NoContext, Timestamp, Uuid};

/// Declares id types: `typed_id! { /// One purchase. pub OrderId = "ord" }`.
///
/// Each is a `UUIDv7`, shown as `ord_` and 32 hexadecimal digits, and stored as `uuid`.
#[macro_export]
macro_rules! typed_id {
    ($($(#[$meta:meta])* $visibility:vis $name:ident = $prefix:literal);+ $(;)?) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        $visibility struct $name($crate::macro_support::uuid::Uuid);

        #[allow(dead_code, reason = "not every id uses every way in and out")]
        impl $name {
            pub const PREFIX: &'static str = $prefix;

            /// A new id that sorts by `at`.
            #[must_use]
            pub fn new(at: $crate::macro_support::chrono::DateTime<$crate::macro_support::chrono::Utc>) -> Self {
                Self($crate::ids::new_uuid(at))
            }

            #[must_use]
            pub const fn from_uuid(uuid: $crate::macro_support::uuid::Uuid) -> Self {
                Self(uuid)
            }

            #[must_use]
            pub const fn as_uuid(&self) -> $crate::macro_support::uuid::Uuid {
                self.0
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                $crate::ids::write($prefix, self.0, f)
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                $crate::ids::write($prefix, self.0, f)
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::ids::IdError;

            fn from_str(text: &str) -> ::std::result::Result<Self, Self::Err> {
                $crate::ids::parse($prefix, text).map(Self)
            }
        }

        impl $crate::macro_support::serde::Serialize for $name {
            fn serialize<S: $crate::macro_support::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::std::result::Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> $crate::macro_support::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::macro_support::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> ::std::result::Result<Self, D::Error> {
                let text = <::std::borrow::Cow<'de, str> as $crate::macro_support::serde::Deserialize>::deserialize(
                    deserializer,
                )?;
                text.parse().map_err($crate::macro_support::serde::de::Error::custom)
            }
        }

        $crate::typed_id!(@sqlx $name);
    )+};

    (@sqlx $name:ident) => {
        impl $crate::macro_support::sqlx::Type<$crate::macro_support::sqlx::Postgres> for $name {
            fn type_info() -> $crate::macro_support::sqlx::postgres::PgTypeInfo {
                <$crate::macro_support::uuid::Uuid as $crate::macro_support::sqlx::Type<
                    $crate::macro_support::sqlx::Postgres,
                >>::type_info()
            }
        }

        impl $crate::macro_support::sqlx::postgres::PgHasArrayType for $name {
            fn array_type_info() -> $crate::macro_support::sqlx::postgres::PgTypeInfo {
                <$crate::macro_support::uuid::Uuid as $crate::macro_support::sqlx::postgres::PgHasArrayType>::array_type_info()
            }
        }

        impl<'q> $crate::macro_support::sqlx::Encode<'q, $crate::macro_support::sqlx::Postgres> for $name {
            fn encode_by_ref(
                &self,
                buffer: &mut $crate::macro_support::sqlx::postgres::PgArgumentBuffer,
            ) -> ::std::result::Result<
                $crate::macro_support::sqlx::encode::IsNull,
                $crate::macro_support::sqlx::error::BoxDynError,
            > {
                <$crate::macro_support::uuid::Uuid as $crate::macro_support::sqlx::Encode<
                    'q,
                    $crate::macro_support::sqlx::Postgres,
                >>::encode_by_ref(&self.0, buffer)
            }
        }

        impl<'r> $crate::macro_support::sqlx::Decode<'r, $crate::macro_support::sqlx::Postgres> for $name {
            fn decode(
                value: $crate::macro_support::sqlx::postgres::PgValueRef<'r>,
            ) -> ::std::result::Result<Self, $crate::macro_support::sqlx::error::BoxDynError> {
                <$crate::macro_support::uuid::Uuid as $crate::macro_support::sqlx::Decode<
                    'r,
                    $crate::macro_support::sqlx::Postgres,
                >>::decode(value).map(Self)
            }
        }
    };
}

/// The text is no id of the wanted kind.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected an id such as {prefix}_018f…")]
pub struct IdError {
    prefix: &'static str,
}

/// An untyped `UUIDv7`, for what has no type of its own (an event, a file name).
pub fn new_uuid(at: DateTime<Utc>) -> Uuid {
    // No counter: two ids of one millisecond have no order between them, and nothing may rely on one.
    let secs = u64::try_from(at.timestamp()).unwrap_or(0);
    Uuid::new_v7(Timestamp::from_unix(NoContext, secs, at.timestamp_subsec_nanos()))
}

#[doc(hidden)]
pub fn write(prefix: &str, uuid: Uuid, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{prefix}_{}", uuid.simple())
}

#[doc(hidden)]
pub fn parse(prefix: &'static str, text: &str) -> Result<Uuid, IdError> {
    let digits = text
        .strip_prefix(prefix)
        .and_then(|rest| rest.strip_prefix('_'))
        .filter(|digits| digits.len() == 32 && !digits.bytes().any(|byte| byte.is_ascii_uppercase()));
    digits
        .and_then(|digits| Uuid::try_parse(digits).ok())
        .ok_or(IdError { prefix })
}

#[cfg(test)]
mod tests {
    use super::*;

    typed_id! {
        /// One purchase.
        pub OrderId = "ord";
        /// One present.
        GiftId = "gft"
    }

    fn noon() -> DateTime<Utc> {
        "2026-11-20T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn an_id_reads_back_as_it_was_shown() {
        let id = OrderId::new(noon());
        let shown = id.to_string();
        assert_eq!(shown.len(), "ord_".len() + 32);
        assert_eq!(shown.parse::<OrderId>(), Ok(id));
        assert_eq!(serde_json::to_value(id).unwrap(), shown);
        assert_eq!(serde_json::from_value::<OrderId>(shown.into()).unwrap(), id);
    }

    #[test]
    fn another_kind_or_shape_is_refused() {
        let gift = GiftId::new(noon()).to_string();
        let bare = OrderId::new(noon()).as_uuid().to_string();
        let upper = OrderId::new(noon()).to_string().to_uppercase();
        for wrong in [
            gift.as_str(),
            &bare,
            &upper,
            "",
            "ord_",
            "ord_zz",
            &format!("ord_{bare}"),
        ] {
            assert!(wrong.parse::<OrderId>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn ids_sort_by_time() {
        let older = OrderId::new(noon());
        let newer = OrderId::new(noon() + chrono::TimeDelta::milliseconds(1));
        assert!(older < newer);
    }
}
