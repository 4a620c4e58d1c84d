//! GraphQL: published content, typed, with the prices of its plans.
//!
//! A repeated query is answered from `query_cache`, a known operation by its `plan`, any other by the resolvers (`query`).
mod chrome;
mod document;
mod offers;
mod operations;
mod page;
pub mod parameters;
mod plan;
pub mod protocol;
mod query;
pub mod query_cache;
mod record;
mod seo;

use std::sync::Arc;

use async_graphql::parser::types::ExecutableDocument;
use async_graphql::{EmptyMutation, EmptySubscription, Request, Response, Variables};
use blocks::OfferSource;
use serde_json::Value;

use crate::cache::response_cache::ResponseCache;
use crate::cache::tags::CacheTag;
use crate::clients::Clients;
use crate::config::Config;
use crate::security::headers::SecurityHeaders;
use crate::security::preview::Preview;
use offers::PageOffers;
use operations::{KnownOperation, Operations};
use parameters::Parameters;
use plan::Types;
use query::Query;
use query_cache::QueryCache;

/// A page with its blocks, blocks inside those, their plans and the offers of those lies at ten.
const DEPTH_MAX: usize = 14;
/// The site's own query asks for every field of every block there is, inside containers too: some 6,700.
const COMPLEXITY_MAX: usize = 10_000;

type Schema = async_graphql::Schema<Query, EmptyMutation, EmptySubscription>;

pub struct Graphql {
    schema: Schema,
    clients: Clients,
    operations: Operations,
    pub cache: Arc<QueryCache>,
}

/// The result of a request.
pub enum Execution {
    /// The whole body, without errors, and its tags where they can be determined.
    Data {
        body: String,
        tags: Option<Vec<CacheTag>>,
    },
    Executed(Response),
    /// A mutation sent by GET.
    MutationByGet,
}

/// One GraphQL request.
pub struct QueryRequest {
    pub parameters: Parameters,
    /// Sent by GET, which must be safe to repeat.
    pub only_reads: bool,
    pub preview: Option<Preview>,
}

impl Graphql {
    pub fn new(clients: Clients, config: &Config, answers: ResponseCache) -> Self {
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
            cache: Arc::new(QueryCache::new(answers, &SecurityHeaders::new(&config.site))),
        }
    }

    pub async fn execute(&self, mut question: QueryRequest) -> Execution {
        if let Err(error) = self.operations.resolve_hash(&mut question.parameters) {
            return Execution::Executed(Response::from_errors(vec![protocol::hash_error(error)]));
        }
        let offers = Arc::new(PageOffers::new(self.clients.clone()));
        let known = self.operations.get(&question.parameters);
        // A plan reads what is published.
        if let (Some(known), None) = (&known, &question.preview)
            && let Some(answer) = self.execute_plan(known, &question.parameters, &offers).await
        {
            return answer;
        }
        let document = match &known {
            Some(known) => Ok(known.document.clone()),
            None => document::read(&question.parameters.query),
        };
        match document {
            Ok(document) => self.execute_resolvers(question, document, offers).await,
            Err(error) => Execution::Executed(Response::from_errors(vec![error])),
        }
    }

    async fn execute_plan(
        &self,
        known: &KnownOperation,
        parameters: &Parameters,
        offers: &PageOffers,
    ) -> Option<Execution> {
        let plan = known.plan.as_ref()?;
        let body = plan::run(plan, &parameters.variables, &self.clients, offers).await?;
        let tags = tags(known, parameters, offers);
        Some(Execution::Data { body, tags })
    }

    async fn execute_resolvers(
        &self,
        question: QueryRequest,
        document: ExecutableDocument,
        offers: Arc<PageOffers>,
    ) -> Execution {
        let QueryRequest {
            parameters,
            only_reads,
            preview,
        } = question;
        let chosen = parameters.operation_name.as_deref();
        if only_reads && document::changes_something(&document, chosen) {
            return Execution::MutationByGet;
        }
        if let Err(error) = document::check_variables(&document, chosen, &parameters.variables) {
            return Execution::Executed(Response::from_errors(vec![error]));
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
            return Execution::Executed(answer);
        }
        let known = self.operations.store(&parameters, document);
        match serde_json::to_string(&answer) {
            Ok(body) => Execution::Data {
                tags: tags(&known, &parameters, &offers),
                body,
            },
            Err(_) => Execution::Executed(answer),
        }
    }
}

/// The tags of the response; `None` where they cannot be determined, or where a price is missing for now.
fn tags(known: &KnownOperation, parameters: &Parameters, offers: &PageOffers) -> Option<Vec<CacheTag>> {
    let mut tags = known.plan.as_ref()?.tags(&parameters.variables)?;
    if offers.failed() {
        return None;
    }
    if offers.were_used() {
        tags.push(CacheTag::offers());
    }
    Some(tags)
}

pub fn sdl() -> String {
    builder().finish().sdl()
}

fn builder() -> async_graphql::SchemaBuilder<Query, EmptyMutation, EmptySubscription> {
    async_graphql::Schema::build(Query, EmptyMutation, EmptySubscription)
}
