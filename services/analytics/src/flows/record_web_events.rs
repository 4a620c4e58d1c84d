//! Publishes a batch of browser events and returns once the stream has acknowledged them. A repeated event keeps its id and is
//! stored once, so a partly failed batch is sent again as a whole.
use kit::bus::CloudEvent;

use crate::domain::web_event::{SubmittedEvent, Visitor, validate_batch};
use crate::emit;
use crate::error::Error;
use crate::flows::Context;

pub async fn record_web_events(
    context: &Context,
    batch: Vec<SubmittedEvent>,
    visitor: &Visitor,
) -> Result<usize, Error> {
    let events = validate_batch(batch, context.clock.now()).map_err(Error::Invalid)?;
    let accepted = events.len();

    let recorded: Vec<CloudEvent> = events
        .into_iter()
        .map(|mut event| {
            context.pseudonyms.pseudonymize(&event.name, &mut event.fields);
            emit::web_event(event, visitor)
        })
        .collect::<Result<_, _>>()?;
    let recorded: Vec<&CloudEvent> = recorded.iter().collect();
    for acknowledged in context.bus.publish_all(&recorded).await {
        acknowledged?;
    }
    metrics::counter!("analytics_web_events_total").increment(u64::try_from(accepted).unwrap_or_default());
    Ok(accepted)
}
