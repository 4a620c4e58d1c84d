//! The PayPal simulator, by its API and its webhooks.

mod merchant;
mod protocol;
mod subscriptions;
