//! GraphQL: published content, typed, with the prices of its plans.
//!
//! A question that was answered a moment ago is answered from memory (`answers`), one whose operation is known from the
//! stored document (`plan`), any other by the resolvers (`query`).
mod answers;
mod chrome;
mod document;
mod endpoint;
mod offers;
mod operations;
mod page;
mod parameters;
mod plan;
mod protocol;
mod query;
pub mod quick;
mod record;
mod seo;

use std::sync::Arc;

use async_graphql::parser::types::ExecutableDocument;
use async_graphql::{EmptyMutation, EmptySubscription, Request, Response, Variables};
use blocks::OfferSource;
use serde_json::Value;

use crate::clients::Clients;
use crate::config::Config;
use crate::pages::cache::PageCache;
use crate::pages::key::Tag;
use crate::preview::Preview;
use crate::security::headers::SecurityHeaders;
use answers::Answers;
use offers::PageOffers;
use operations::{Known, Operations};
use parameters::Parameters;
use plan::Types;
use query::Query;

pub use endpoint::{execute_get, execute_post};

/// A page with its blocks, blocks inside those, their plans and the offers of those lies at ten.
const DEPTH_MAX: usize = 14;
/// The site's own query asks for every field of every block there is, inside containers too: some 6,700.
const COMPLEXITY_MAX: usize = 10_000;

type Schema = async_graphql::Schema<Query, EmptyMutation, EmptySubscription>;

pub struct Graphql {
    schema: Schema,
    clients: Clients,
    operations: Operations,
    answers: Arc<Answers>,
}

/// What came of a request.
enum Answer {
    /// The whole body, without a fault, and what it depends on where that can be told.
    Data {
        body: String,
        tags: Option<Vec<Tag>>,
    },
    Executed(Response),
    /// A change that was asked for in a way that must not change anything.
    NotByGet,
}

/// What somebody asks.
struct Question {
    parameters: Parameters,
    /// Asked by GET, which must be safe to repeat.
    only_reads: bool,
    preview: Option<Preview>,
}

impl Graphql {
    pub fn new(clients: Clients, config: &Config, answers: PageCache) -> Self {
        let builder = builder()
            .data(Arc::new(clients.clone()))
            .limit_depth(DEPTH_MAX)
            .limit_complexity(COMPLEXITY_MAX);
        let schema = if config.production {
            builder.disable_introspection().disable_suggestions().finish()
        } else {
            builder.finish()
        };
        Self {
            operations: Operations::new(Types::of(&schema.sdl())),
            schema,
            clients,
            answers: Arc::new(Answers::new(answers, &SecurityHeaders::new(&config.site))),
        }
    }

    async fn answer(&self, mut question: Question) -> Answer {
        if let Err(fault) = self.operations.complete(&mut question.parameters) {
            return Answer::Executed(Response::from_errors(vec![protocol::hash_fault(fault)]));
        }
        let offers = Arc::new(PageOffers::new(self.clients.clone()));
        let known = self.operations.get(&question.parameters);
        // A plan reads what is published.
        if let (Some(known), None) = (&known, &question.preview)
            && let Some(answer) = self.planned(known, &question.parameters, &offers).await
        {
            return answer;
        }
        let document = match &known {
            Some(known) => Ok(known.document.clone()),
            None => document::read(&question.parameters.query),
        };
        match document {
            Ok(document) => self.resolved(question, document, offers).await,
            Err(fault) => Answer::Executed(Response::from_errors(vec![fault])),
        }
    }

    async fn planned(&self, known: &Known, parameters: &Parameters, offers: &PageOffers) -> Option<Answer> {
        let plan = known.plan.as_ref()?;
        let body = plan::run(plan, &parameters.variables, &self.clients, offers).await?;
        let tags = tags(known, parameters, offers);
        Some(Answer::Data { body, tags })
    }

    async fn resolved(
        &self,
        question: Question,
        document: ExecutableDocument,
        offers: Arc<PageOffers>,
    ) -> Answer {
        let Question {
            parameters,
            only_reads,
            preview,
        } = question;
        let chosen = parameters.operation_name.as_deref();
        if only_reads && document::changes_something(&document, chosen) {
            return Answer::NotByGet;
        }
        if let Err(fault) = document::check_variables(&document, chosen, &parameters.variables) {
            return Answer::Executed(Response::from_errors(vec![fault]));
        }
        let keeps = preview.is_none();
        let mut request = Request::new(parameters.query.as_str())
            .variables(Variables::from_json(Value::Object(parameters.variables.clone())))
            .data(preview)
            .data(Arc::clone(&offers))
            .data::<Arc<dyn OfferSource>>(Arc::clone(&offers) as Arc<dyn OfferSource>);
        request.operation_name = chosen.map(str::to_owned);
        request.set_parsed_query(document.clone());
        let answer = self.schema.execute(request).await;
        if answer.is_err() || !keeps {
            return Answer::Executed(answer);
        }
        let known = self.operations.remember(&parameters, document);
        match serde_json::to_string(&answer) {
            Ok(body) => Answer::Data {
                tags: tags(&known, &parameters, &offers),
                body,
            },
            Err(_) => Answer::Executed(answer),
        }
    }
}

/// What the answer depends on; `None` where that cannot be told, or where a price is missing that may be had soon.
fn tags(known: &Known, parameters: &Parameters, offers: &PageOffers) -> Option<Vec<Tag>> {
    let mut tags = known.plan.as_ref()?.tags(&parameters.variables)?;
    if offers.failed() {
        return None;
    }
    if offers.were_asked() {
        tags.push(Tag::offers());
    }
    Some(tags)
}

pub fn sdl() -> String {
    builder().finish().sdl()
}

fn builder() -> async_graphql::SchemaBuilder<Query, EmptyMutation, EmptySubscription> {
    async_graphql::Schema::build(Query, EmptyMutation, EmptySubscription)
}
