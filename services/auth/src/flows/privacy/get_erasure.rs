//! Returns the state of an erasure.

use crate::domain::erasure::{Erasure, ErasureId};
use crate::error::Error;
use crate::flows::Context;
use crate::store::erasure;

pub async fn get_erasure(context: &Context, id: ErasureId) -> Result<Erasure, Error> {
    let mut connection = context.pool.acquire().await?;
    erasure::by_id(&mut connection, id)
        .await?
        .ok_or(Error::UnknownErasure)
}
