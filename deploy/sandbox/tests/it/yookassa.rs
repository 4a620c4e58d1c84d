//! The YooKassa simulator, by its API and its webhooks.

mod merchant;
mod payments;
mod protocol;
