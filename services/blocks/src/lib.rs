//! The page model: every block type once, with its JSON form, its JSON Schema, its GraphQL type and its rules.
//!
//! Content validates with it, and the gateway answers GraphQL with it. No I/O: prices come through [`OfferSource`],
//! which the
//! caller provides.

mod block;
mod catalogue;
pub mod design;
mod error;
mod inspection;
mod kinds;
mod locale;
mod model;
mod offer;
mod parts;
mod record;
mod renderer;
mod site;
mod template;

pub use block::{Block, COMPONENTS, check, parse, schema};
pub use catalogue::json_schemas;
pub use error::{BlockError, BlockErrorCode};
pub use inspection::Inspection;
pub use inspection::findings::{
    CampaignUse, ColourPair, Findings, GroundFound, HeadingFound, ImageFound, LinkFound, TextFound,
};
pub use kinds::account::account_link::AccountLink;
pub use kinds::account::auto_signin::AutoSignin;
pub use kinds::account::email_signup::EmailSignup;
pub use kinds::account::forgot_password::ForgotPassword;
pub use kinds::account::login_register::{LoginRegister, LoginRegisterTexts, LoginStatus};
pub use kinds::account::member_account::MemberAccount;
pub use kinds::account::register_business_user::RegisterBusinessUser;
pub use kinds::account::social_sign_in::SocialSignIn;
pub use kinds::account::user_profile_update::{SpecialOfferPart, UserProfileUpdate};
pub use kinds::account::withdrawal_form::WithdrawalForm;
pub use kinds::business::b2b_book_a_demo::{B2bBookADemo, InterestOption};
pub use kinds::business::b2b_calculator::B2bCalculator;
pub use kinds::business::b2b_dashboard::B2bDashboard;
pub use kinds::business::b2b_from::B2bFrom;
pub use kinds::cards::app_download_box::AppDownloadBox;
pub use kinds::cards::blog_cards::{BlogCard, BlogCards};
pub use kinds::cards::call_to_action_banner::CallToActionBanner;
pub use kinds::cards::comment_box::{Comment, CommentBox};
pub use kinds::cards::dialogs::{TrialDialog, TrialMoment, TrialStep, WhyNowDialog};
pub use kinds::cards::experts::{Expert, Experts};
pub use kinds::cards::explanation_boxes::{ExplanationBox, ExplanationBoxes};
pub use kinds::cards::feature_cards::{FeatureCard, FeatureCards};
pub use kinds::cards::guide_cards::{GuideCard, GuideCards, GuideKind};
pub use kinds::cards::job_ad::{Job, JobAd};
pub use kinds::cards::program_scope_card::{ProgramScopeCard, ScopeItem};
pub use kinds::cards::qr::Qr;
pub use kinds::cards::read_more_articles::{ArticleCard, ReadMoreArticles};
pub use kinds::cards::testimonials::{Testimonial, Testimonials};
pub use kinds::coaching::coaching_chat::CoachingChat;
pub use kinds::coaching::coaching_signup::CoachingSignup;
pub use kinds::coaching::coaching_welcome::{CoachingWelcome, SessionService};
pub use kinds::coaching::program_loader::ProgramLoader;
pub use kinds::coaching::suggested_program_page::{
    SuggestedProgram, SuggestedProgramPage, SuggestionMeditation,
};
pub use kinds::heroes::hero::{Hero, HeroLayout};
pub use kinds::heroes::hero_component::HeroComponent;
pub use kinds::heroes::japanese_hero::{JapaneseHero, JapaneseHeroTab};
pub use kinds::heroes::landing_hero::LandingHero;
pub use kinds::heroes::new_year_hero::NewYearHero;
pub use kinds::heroes::success_hero::SuccessHero;
pub use kinds::heroes::survey_landing_hero::{CampaignBanner, IconMarkdown, SurveyLandingHero};
pub use kinds::heroes::tab_hero::{HeroTab, TabHero};
pub use kinds::heroes::trainer_hero::{Trainer, TrainerHero};
pub use kinds::layout::accordion::{Accordion, AccordionItem};
pub use kinds::layout::button_row::{ButtonRow, RowAlign};
pub use kinds::layout::carousel::{Carousel, CarouselSlide};
pub use kinds::layout::carousel_tabs::{CarouselTab, CarouselTabs};
pub use kinds::layout::heading::{Direction, FontSettings, Heading, HeadingTag};
pub use kinds::layout::horizontal_rule::HorizontalRule;
pub use kinds::layout::image_collection::{CollectionImage, ImageCollection};
pub use kinds::layout::markdown_text::MarkdownText;
pub use kinds::layout::picture::{Picture, PictureWidth};
pub use kinds::layout::progress_bar::ProgressBar;
pub use kinds::layout::scroll_parallax::ScrollParallax;
pub use kinds::layout::scroll_through::{ScrollSection, ScrollThrough};
pub use kinds::layout::tabs::{Tab, Tabs};
pub use kinds::layout::tag::Tag;
pub use kinds::media::ai_text::AiText;
pub use kinds::media::meditation_player::MeditationPlayer;
pub use kinds::media::meditation_samples::{MeditationSample, MeditationSampleCollection, MeditationSamples};
pub use kinds::media::program_samples::{
    DynamicProgram, DynamicProgramContent, ProgramItem, ProgramSample, ProgramSamples,
};
pub use kinds::media::promo_video::PromoVideo;
pub use kinds::media::video_player::{VideoModal, VideoPlayer, YoutubeEmbed};
pub use kinds::pages::almost_done_page::{AlmostDonePage, OrderCustomer};
pub use kinds::pages::gympass_page::{BenefitKind, BenefitPlan, GympassPage};
pub use kinds::pages::rules_page::RulesPage;
pub use kinds::pages::success_page::{ActionLink, QrCode, QrIcon, QrInstruction, SuccessPage, SuccessStep};
pub use kinds::payment::bin_offer::BinOffer;
pub use kinds::payment::campaign_landing::{CampaignLanding, CampaignOption};
pub use kinds::payment::extra_session::ExtraSession;
pub use kinds::payment::gift_card::{
    GiftBuilderTexts, GiftCardBuilder, GiftGenerator, GiftSteps, GiftSuccess,
};
pub use kinds::payment::gift_payment_form::GiftPaymentForm;
pub use kinds::payment::one_time_payment_form::{
    AdditionVariant, OneTimePaymentForm, OneTimePaymentWithAdditionForm, OneTimeVariant,
};
pub use kinds::payment::payment_footer::PaymentFooter;
pub use kinds::payment::payment_form::PaymentForm;
pub use kinds::payment::payment_price::PaymentPrice;
pub use kinds::payment::payment_return::PaymentReturn;
pub use kinds::payment::plan_list::{PlanItem, PlanList, PlanPrice};
pub use kinds::payment::price_badge::{BadgePeriod, PriceBadge, PriceBadgePart};
pub use kinds::payment::product_plan::ProductPlan;
pub use kinds::payment::special_offer_box::SpecialOfferBox;
pub use kinds::payment::two_col_payment_form::TwoColPaymentForm;
pub use kinds::surveys::survey::{SurveyButton, SurveyCategory, SurveyCategorySelection, SurveyContinueBox};
pub use kinds::surveys::survey_questions::{AnswerMatch, SurveyOption, SurveyQuestion, SurveyQuestions};
pub use locale::{Locale, UnknownLocale};
pub use model::{Model, check_record, parse_record, record_schema};
pub use offer::{Decimal, Offer, OfferKey, OfferSource, Quote};
pub use parts::button::Button;
pub use parts::image::{Image, ResponsiveImage};
pub use parts::link::Link;
pub use parts::whole::Whole;
pub use record::{RECORDS, Record};
pub use renderer::Renderer;
pub use site::footer::{Footer, LinkGroup, SocialUrls, Store};
pub use site::navigation::{MenuItem, Navigation, SubCategory};
pub use site::page_seo::{ArticleData, Breadcrumb, HowTo, JobData, PageSeo, VideoData};
pub use template::{Template, UnknownTemplate};
