//! The page model: every block type once, with its JSON form, its JSON Schema, its GraphQL type and its rules.
//!
//! Content validates with it, the gateway answers GraphQL with it. No I/O: what a block cannot know by itself (a price)
//! comes through [`OfferSource`], which the caller provides.

mod accordion;
mod block;
mod button;
mod fault;
mod feature_cards;
mod footer;
mod heading;
mod hero;
mod image;
mod inspection;
mod link;
mod locale;
mod login_register;
mod markdown_text;
mod model;
mod navigation;
mod offer;
mod payment_form;
mod plan_list;
mod success_page;
mod template;
mod testimonials;

pub use accordion::{Accordion, AccordionItem};
pub use block::{Block, COMPONENTS, check, parse, schema};
pub use button::Button;
pub use fault::{BlockFault, FaultCode};
pub use feature_cards::{FeatureCard, FeatureCards};
pub use footer::{Footer, LinkGroup, SocialUrls, Store};
pub use heading::{Direction, FontSettings, Heading, HeadingTag};
pub use hero::Hero;
pub use image::{Image, ResponsiveImage};
pub use inspection::{Inspection, LinkFound};
pub use link::Link;
pub use locale::{Locale, UnknownLocale};
pub use login_register::{LoginRegister, LoginRegisterTexts, LoginStatus};
pub use markdown_text::MarkdownText;
pub use model::{Model, check_record, parse_record, record_schema};
pub use navigation::{MenuItem, Navigation, SubCategory};
pub use offer::{Decimal, Offer, OfferKey, OfferSource};
pub use payment_form::PaymentForm;
pub use plan_list::{PlanItem, PlanList, PlanPrice};
pub use success_page::{ActionLink, QrCode, QrIcon, QrInstruction, SuccessPage, SuccessStep};
pub use template::{Template, UnknownTemplate};
pub use testimonials::{Testimonial, Testimonials};
