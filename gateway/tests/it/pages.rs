//! Connections, page delivery, previews and purging.
mod connections;
mod delivery;
mod outages;
mod previews;
mod purging;
