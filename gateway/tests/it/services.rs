//! AI texts, analytics, samples and the API description.
mod ai_text;
mod analytics;
mod documents;
mod samples;
