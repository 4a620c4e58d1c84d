//! Pure rules: validation of questions, the prompt, detection of self-harm and the helplines.
pub mod crisis;
pub mod helplines;
pub mod language;
pub mod position;
pub mod prompt;
pub mod question;
pub mod reply;
