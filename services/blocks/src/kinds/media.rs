//! Audio, video and generated text.
pub mod ai_text;
pub mod meditation_player;
pub mod meditation_samples;
pub mod program_samples;
pub mod promo_video;
pub mod video_player;
