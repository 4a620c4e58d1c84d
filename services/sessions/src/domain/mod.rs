//! What may be asked, what is asked of the model, and when help is named first. Pure.
pub mod brief;
pub mod crisis;
pub mod helplines;
pub mod language;
pub mod position;
pub mod question;
pub mod reply;
