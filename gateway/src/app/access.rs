//! What the gateway may watch. It publishes nothing, and no one calls it by gRPC.

use kit::run::Access;

use crate::cache::purge;

pub const ACCESS: Access = Access {
    watches: &purge::FILTERS,
    ..Access::NONE
};
