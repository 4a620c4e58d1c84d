//! Fetches the documents of a plan and writes the response.
use std::collections::HashMap;

use blocks::{Locale, OfferSource};
use chrono::{DateTime, Utc};
use futures::future::try_join_all;
use kit::error::Kind as FailureKind;
use proto::content::v1::{
    GetChromeRequest, GetChromeResponse, GetPageRequest, GetPageResponse, GetRecordRequest,
    GetRecordResponse, PageForm,
};
use tonic::{Response, Status};

use crate::clients::Clients;
use crate::graphql::offers;
use crate::graphql::offers::PageOffers;
use crate::graphql::plan::project::ResponseWriter;
use crate::graphql::plan::{ChromePart, Kind, Plan, RootFetch, Variables};
use crate::protocol::error::Problem;

/// A response of content; `None` inside if the content does not exist.
enum Fetched {
    Nothing,
    Page(Option<Box<GetPageResponse>>),
    Chrome(GetChromeResponse),
    Record(Option<GetRecordResponse>),
}

impl Fetched {
    /// Size of the documents in bytes; 0 if they are small.
    fn length(&self) -> usize {
        match self {
            Self::Page(Some(page)) => page.document.len(),
            Self::Page(None) | Self::Chrome(_) | Self::Record(_) | Self::Nothing => 0,
        }
    }
}

/// The complete response. `None` if the resolvers must answer, such as for an error.
pub async fn run(
    plan: &Plan,
    variables: &Variables,
    clients: &Clients,
    offers: &PageOffers,
) -> Option<String> {
    if !plan.variables.iter().all(|rule| rule.is_met(variables)) {
        return None;
    }
    let asked = plan
        .roots
        .iter()
        .map(|root| fetch_root(&root.fetch, variables, clients));
    let stored = try_join_all(asked).await.ok()?;

    let mut draft = ResponseWriter::with_capacity(stored.iter().map(|(stored, _)| stored.length()).sum());
    draft.text.push_str("{\"data\":{");
    for (index, (root, (stored, locale))) in plan.roots.iter().zip(&stored).enumerate() {
        if index > 0 {
            draft.text.push(',');
        }
        draft.text.push_str(&root.key);
        match &root.kind {
            Some(kind) => write(&mut draft, stored, kind, &root.fetch, *locale)?,
            None if matches!(root.fetch, RootFetch::Nothing) => draft.text.push_str("\"Query\""),
            None => return None,
        }
    }
    draft.text.push_str("}}");
    price(draft, offers).await
}

/// The plan does not apply; the resolvers answer and report errors.
struct NeedsResolvers;

async fn fetch_root(
    fetch: &RootFetch,
    variables: &Variables,
    clients: &Clients,
) -> Result<(Fetched, Locale), NeedsResolvers> {
    let locale = match fetch {
        RootFetch::Nothing => return Ok((Fetched::Nothing, Locale::default())),
        RootFetch::Pages => return Err(NeedsResolvers),
        RootFetch::Page { locale, .. }
        | RootFetch::Chrome { locale, .. }
        | RootFetch::Record { locale, .. } => {
            let code = locale.value(variables).ok_or(NeedsResolvers)?;
            code.parse::<Locale>().map_err(|_| NeedsResolvers)?
        }
    };
    let text =
        |argument: &super::Argument| argument.value(variables).map(str::to_owned).ok_or(NeedsResolvers);
    let code = locale.code().to_owned();
    let mut content = clients.content();
    let stored = match fetch {
        RootFetch::Page { url_path, .. } => {
            let request = GetPageRequest {
                url_path: text(url_path)?,
                locale: code,
                form: PageForm::Document.into(),
            };
            Fetched::Page(found(content.get_page(request).await)?.map(Box::new))
        }
        RootFetch::Record { kind, id, .. } => {
            let request = GetRecordRequest {
                kind: (*kind).to_owned(),
                id: text(id)?,
                locale: code,
            };
            Fetched::Record(found(content.get_record(request).await)?)
        }
        RootFetch::Chrome { .. } | RootFetch::Nothing | RootFetch::Pages => {
            let answer = content.get_chrome(GetChromeRequest { locale: code }).await;
            Fetched::Chrome(answer.map_err(|_| NeedsResolvers)?.into_inner())
        }
    };
    Ok((stored, locale))
}

fn found<T>(answer: Result<Response<T>, Status>) -> Result<Option<T>, NeedsResolvers> {
    match answer.map_err(Problem::from) {
        Ok(answer) => Ok(Some(answer.into_inner())),
        Err(problem) if problem.failure().kind == FailureKind::NotFound => Ok(None),
        Err(_) => Err(NeedsResolvers),
    }
}

fn write<'p>(
    draft: &mut ResponseWriter<'p>,
    stored: &Fetched,
    kind: &'p Kind,
    fetch: &RootFetch,
    locale: Locale,
) -> Option<()> {
    match stored {
        Fetched::Page(Some(answer)) => page(draft, answer, kind, locale),
        Fetched::Record(Some(answer)) => record(draft, answer, kind, locale),
        Fetched::Chrome(answer) => chrome(draft, answer, kind, fetch, locale),
        Fetched::Page(None) | Fetched::Record(None) | Fetched::Nothing => draft.whole("null", kind, locale),
    }
}

/// The document, and the fields that vary without it.
pub fn page<'p>(
    draft: &mut ResponseWriter<'p>,
    answer: &GetPageResponse,
    kind: &'p Kind,
    locale: Locale,
) -> Option<()> {
    let page = answer.page.as_ref()?;
    let published_at: DateTime<Utc> = page.published_at?.try_into().ok()?;
    let asked = serde_json::to_string(&page.locale).ok()?;
    let locales = serde_json::to_string(&page.available_locales).ok()?;
    let snapshot = serde_json::to_string(&page.snapshot_id).ok()?;
    let published_at = serde_json::to_string(&published_at.to_rfc3339()).ok()?;
    let beside = [
        ("locale", asked.as_str()),
        ("availableLocales", &locales),
        ("snapshotId", &snapshot),
        ("publishedAt", &published_at),
    ];
    let document = std::str::from_utf8(&answer.document).ok()?;
    draft.object_with(
        document,
        &beside,
        kind,
        offers::price_locale(&page.url_path, locale),
    )
}

fn record<'p>(
    draft: &mut ResponseWriter<'p>,
    answer: &GetRecordResponse,
    kind: &'p Kind,
    locale: Locale,
) -> Option<()> {
    let record = answer.record.as_ref()?;
    let id = serde_json::to_string(&record.id).ok()?;
    draft.object_with(&record.props_json, &[("id", &id)], kind, locale)
}

fn chrome<'p>(
    draft: &mut ResponseWriter<'p>,
    answer: &GetChromeResponse,
    kind: &'p Kind,
    fetch: &RootFetch,
    locale: Locale,
) -> Option<()> {
    let navigation = answer.navigation.as_ref().map_or("null", |it| &it.props_json);
    let footer = answer.footer.as_ref().map_or("null", |it| &it.props_json);
    let RootFetch::Chrome { part, .. } = fetch else {
        return None;
    };
    match part {
        ChromePart::Both => {
            let parts = [("navigation", navigation), ("footer", footer)];
            draft.object_with("{}", &parts, kind, locale)
        }
        ChromePart::Navigation => draft.whole(navigation, kind, locale),
        ChromePart::Footer => draft.whole(footer, kind, locale),
    }
}

async fn price(draft: ResponseWriter<'_>, offers: &PageOffers) -> Option<String> {
    if draft.prices.is_empty() {
        return Some(draft.text);
    }
    offers.expect(draft.prices.iter().map(|price| price.key.clone()));
    let mut known = HashMap::new();
    for price in &draft.prices {
        let offer = offers.offer(&price.key).await;
        known.insert(price.key.clone(), offer.as_ref().map(offers::written));
    }
    draft.with_prices(&known)
}
