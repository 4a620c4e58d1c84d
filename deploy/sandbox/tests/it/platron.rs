//! The Platron simulator, by its API and its webhooks.

mod merchant;
mod payments;
