//! The list of all block types, and their lookup by component name.

pub mod nested;

use async_graphql::{ComplexObject, Interface};
use schemars::Schema;
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::block::nested::Inline;
use crate::error::{BlockError, BlockErrorCode};
use crate::inspection::Inspection;
use crate::inspection::findings::{Findings, LinkFound};
use crate::locale::Locale;
use crate::model::{self, Model, record_schema};
use crate::offer::{OfferKey, Quote};
use crate::renderer::Renderer;

/// Generates the code for each block type, so that this list is the only one.
macro_rules! blocks {
    ($($name:ident),+ $(,)?) => {
        /// A part of a page. `componentName` is its kind.
        #[derive(Clone, Debug, PartialEq, Interface)]
        #[graphql(field(name = "id", ty = "&String"), field(name = "component_name", ty = "&'static str"))]
        pub enum Block {
            $($name(crate::$name),)+
        }

        /// Every known component name.
        pub const COMPONENTS: &[&str] = &[$(crate::$name::NAME),+];

        $(
            #[ComplexObject]
            impl crate::$name {
                async fn component_name(&self) -> &'static str {
                    Self::NAME
                }
            }
        )+

        /// Blocks of this type contain other blocks.
        pub(crate) fn is_container(component_name: &str) -> bool {
            match component_name {
                $(crate::$name::NAME => !crate::$name::NESTED.is_empty(),)+
                _ => false,
            }
        }

        pub(crate) fn parse_value(component_name: &str, props: &Value) -> Result<Block, BlockError> {
            match component_name {
                $(crate::$name::NAME => model::from_value(props).map(Block::$name),)+
                unknown => Err(unknown_component(unknown)),
            }
        }

        pub(crate) fn check_value(component_name: &str, props: &Value) -> Result<Block, Vec<BlockError>> {
            match component_name {
                $(crate::$name::NAME => model::check_value(props).map(Block::$name),)+
                unknown => Err(vec![unknown_component(unknown)]),
            }
        }

        /// The JSON Schema of a block type, for editors.
        pub fn schema(component_name: &str) -> Option<Schema> {
            match component_name {
                $(crate::$name::NAME => Some(record_schema::<crate::$name>()),)+
                _ => None,
            }
        }

        impl Block {
            pub fn component(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => crate::$name::NAME,)+
                }
            }

            /// Empty until the block is placed.
            pub(crate) fn own_id(&self) -> &str {
                match self {
                    $(Self::$name(block) => &block.id,)+
                }
            }

            #[must_use]
            pub(crate) fn named(mut self, id: String) -> Self {
                match &mut self {
                    $(Self::$name(block) => block.id = id,)+
                }
                self
            }

            /// Places the block: sets its id in the page and the locale of its prices. Nested blocks without an id
            /// are numbered.
            #[must_use]
            pub fn placed(mut self, id: String, locale: Locale) -> Self {
                self.place(id, locale);
                self
            }

            fn place(&mut self, id: String, locale: Locale) {
                let nested = match self {
                    $(Self::$name(block) => {
                        block.id.clone_from(&id);
                        Model::quote(block, locale);
                        Model::nested_mut(block)
                    })+
                };
                for (index, block) in nested.into_iter().enumerate() {
                    let own = match block.own_id() {
                        "" => format!("{id}-{}", index + 1),
                        given => given.to_owned(),
                    };
                    block.place(own, locale);
                }
            }

            /// The nested blocks.
            pub fn nested(&self) -> Vec<&Block> {
                match self {
                    $(Self::$name(block) => Model::nested(block),)+
                }
            }

            /// The offers that the placed block shows, including those of nested blocks.
            pub fn offer_keys(&self) -> Vec<OfferKey> {
                let quotes = match self {
                    $(Self::$name(block) => Model::quotes(block),)+
                };
                let mut keys: Vec<OfferKey> = quotes.into_iter().filter_map(Quote::key).cloned().collect();
                keys.extend(self.nested().into_iter().flat_map(Self::offer_keys));
                keys
            }

            /// Fills the `…Html` fields from their source texts.
            pub fn render(&mut self, with: &Renderer<'_>) {
                let nested = match self {
                    $(Self::$name(block) => {
                        Model::render(block, with);
                        Model::nested_mut(block)
                    })+
                };
                for block in nested {
                    block.render(with);
                }
            }

            /// All findings for the lint.
            pub fn findings(&self) -> Findings {
                match self {
                    $(Self::$name(block) => Inspection::of(block).findings(),)+
                }
            }

            pub(crate) fn inspect(&self, at: &mut Inspection) {
                match self {
                    $(Self::$name(block) => Model::inspect(block, at),)+
                }
            }

            /// The stored form: the block without id and kind.
            pub fn to_props(&self) -> Result<Value, serde_json::Error> {
                match self {
                    $(Self::$name(block) => serde_json::to_value(block),)+
                }
            }
        }

        /// The form inside another block.
        impl Serialize for Block {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$name(block) => Inline::write(&block.id, block, serializer),)+
                }
            }
        }
    };
}

blocks![
    Accordion,
    AccountLink,
    AiText,
    AlmostDonePage,
    AppDownloadBox,
    AutoSignin,
    B2bBookADemo,
    B2bCalculator,
    B2bDashboard,
    B2bFrom,
    BinOffer,
    BlogCards,
    ButtonRow,
    CallToActionBanner,
    CampaignLanding,
    Carousel,
    CarouselTabs,
    CoachingChat,
    CoachingSignup,
    CoachingWelcome,
    CommentBox,
    DynamicProgramContent,
    EmailSignup,
    Experts,
    ExplanationBoxes,
    ExtraSession,
    FeatureCards,
    ForgotPassword,
    GiftCardBuilder,
    GiftGenerator,
    GiftPaymentForm,
    GiftSuccess,
    GuideCards,
    GympassPage,
    Heading,
    Hero,
    HorizontalRule,
    ImageCollection,
    JapaneseHero,
    JobAd,
    LandingHero,
    LoginRegister,
    MarkdownText,
    MeditationPlayer,
    MeditationSampleCollection,
    MemberAccount,
    NewYearHero,
    OneTimePaymentForm,
    OneTimePaymentWithAdditionForm,
    PaymentFooter,
    PaymentForm,
    PaymentPrice,
    PaymentReturn,
    Picture,
    PlanList,
    PriceBadge,
    ProductPlan,
    ProgramLoader,
    ProgramSamples,
    ProgramScopeCard,
    ProgressBar,
    PromoVideo,
    Qr,
    ReadMoreArticles,
    RegisterBusinessUser,
    RulesPage,
    ScrollParallax,
    ScrollThrough,
    SocialSignIn,
    SpecialOfferBox,
    SuccessHero,
    SuccessPage,
    SuggestedProgramPage,
    SurveyButton,
    SurveyCategorySelection,
    SurveyContinueBox,
    SurveyLandingHero,
    SurveyQuestions,
    TabHero,
    Tabs,
    Tag,
    Testimonials,
    TrainerHero,
    TrialDialog,
    TwoColPaymentForm,
    UserProfileUpdate,
    VideoModal,
    VideoPlayer,
    WhyNowDialog,
    WithdrawalForm,
    YoutubeEmbed,
];

/// Reads a stored block. Unknown fields are ignored, because a newer version may have written them.
pub fn parse(component_name: &str, props_json: &str) -> Result<Block, BlockError> {
    known(component_name)?;
    parse_value(component_name, &model::to_value(component_name, props_json)?)
}

/// Validates a block before publication: rejects unknown fields, applies every rule, returns all errors at once.
pub fn check(component_name: &str, props_json: &str) -> Result<Block, Vec<BlockError>> {
    let props = known(component_name).and_then(|()| model::to_value(component_name, props_json));
    check_value(component_name, &props.map_err(|error| vec![error])?)
}

impl Block {
    /// The links to pages of this site.
    pub fn links(&self) -> Vec<LinkFound> {
        self.findings().links
    }
}

pub(crate) fn is_block(name: &str) -> bool {
    COMPONENTS.contains(&name)
}

fn known(component_name: &str) -> Result<(), BlockError> {
    if is_block(component_name) {
        Ok(())
    } else {
        Err(unknown_component(component_name))
    }
}

fn unknown_component(name: &str) -> BlockError {
    BlockError {
        component: name.to_owned(),
        field: String::new(),
        code: BlockErrorCode::UnknownComponent,
        message: format!(
            "is not a block type; the known ones are {}",
            COMPONENTS.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests;
