//! Fetches what a plan needs and writes the answer.
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
use crate::error::Problem;
use crate::graphql::offers::{self, PageOffers};
use crate::graphql::plan::project::Draft;
use crate::graphql::plan::{Ask, ChromePart, Kind, Plan, Variables};

/// What content had to say; `None` inside where there is no such thing.
enum Stored {
    Nothing,
    Page(Option<Box<GetPageResponse>>),
    Chrome(GetChromeResponse),
    Record(Option<GetRecordResponse>),
}

impl Stored {
    /// Of what there is to write, in bytes; nought where that is little.
    fn length(&self) -> usize {
        match self {
            Self::Page(Some(page)) => page.document.len(),
            Self::Page(None) | Self::Chrome(_) | Self::Record(_) | Self::Nothing => 0,
        }
    }
}

/// The whole answer. `None` where the resolvers must say what is wrong, or know better.
pub async fn run(
    plan: &Plan,
    variables: &Variables,
    clients: &Clients,
    offers: &PageOffers,
) -> Option<String> {
    if !plan.variables.iter().all(|rule| rule.is_met(variables)) {
        return None;
    }
    let asked = plan.roots.iter().map(|root| ask(&root.ask, variables, clients));
    let stored = try_join_all(asked).await.ok()?;

    let mut draft = Draft::with_capacity(stored.iter().map(|(stored, _)| stored.length()).sum());
    draft.text.push_str("{\"data\":{");
    for (index, (root, (stored, locale))) in plan.roots.iter().zip(&stored).enumerate() {
        if index > 0 {
            draft.text.push(',');
        }
        draft.text.push_str(&root.key);
        match &root.kind {
            Some(kind) => write(&mut draft, stored, kind, (&root.ask, *locale))?,
            None if matches!(root.ask, Ask::Nothing) => draft.text.push_str("\"Query\""),
            None => return None,
        }
    }
    draft.text.push_str("}}");
    price(draft, offers).await
}

/// Why the plan cannot be followed is for the resolvers to say.
struct LeftToResolvers;

async fn ask(
    ask: &Ask,
    variables: &Variables,
    clients: &Clients,
) -> Result<(Stored, Locale), LeftToResolvers> {
    let locale = match ask {
        Ask::Nothing => return Ok((Stored::Nothing, Locale::default())),
        Ask::Pages => return Err(LeftToResolvers),
        Ask::Page { locale, .. } | Ask::Chrome { locale, .. } | Ask::Record { locale, .. } => {
            let code = locale.value(variables).ok_or(LeftToResolvers)?;
            code.parse::<Locale>().map_err(|_| LeftToResolvers)?
        }
    };
    let text = |argument: &super::Argument| {
        argument
            .value(variables)
            .map(str::to_owned)
            .ok_or(LeftToResolvers)
    };
    let code = locale.code().to_owned();
    let mut content = clients.content();
    let stored = match ask {
        Ask::Page { url_path, .. } => {
            let request = GetPageRequest {
                url_path: text(url_path)?,
                locale: code,
                form: PageForm::Document.into(),
            };
            Stored::Page(found(content.get_page(request).await)?.map(Box::new))
        }
        Ask::Record { kind, id, .. } => {
            let request = GetRecordRequest {
                kind: (*kind).to_owned(),
                id: text(id)?,
                locale: code,
            };
            Stored::Record(found(content.get_record(request).await)?)
        }
        Ask::Chrome { .. } | Ask::Nothing | Ask::Pages => {
            let answer = content.get_chrome(GetChromeRequest { locale: code }).await;
            Stored::Chrome(answer.map_err(|_| LeftToResolvers)?.into_inner())
        }
    };
    Ok((stored, locale))
}

fn found<T>(answer: Result<Response<T>, Status>) -> Result<Option<T>, LeftToResolvers> {
    match answer.map_err(Problem::from) {
        Ok(answer) => Ok(Some(answer.into_inner())),
        Err(problem) if problem.failure().kind == FailureKind::NotFound => Ok(None),
        Err(_) => Err(LeftToResolvers),
    }
}

fn write<'p>(draft: &mut Draft<'p>, stored: &Stored, kind: &'p Kind, of: (&Ask, Locale)) -> Option<()> {
    let (ask, locale) = of;
    match stored {
        Stored::Page(Some(answer)) => page(draft, answer, kind, locale),
        Stored::Record(Some(answer)) => record(draft, answer, kind, locale),
        Stored::Chrome(answer) => chrome(draft, answer, kind, (ask, locale)),
        Stored::Page(None) | Stored::Record(None) | Stored::Nothing => draft.whole("null", kind, locale),
    }
}

/// The document, and beside it what varies without it.
pub fn page<'p>(
    draft: &mut Draft<'p>,
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
    draft: &mut Draft<'p>,
    answer: &GetRecordResponse,
    kind: &'p Kind,
    locale: Locale,
) -> Option<()> {
    let record = answer.record.as_ref()?;
    let id = serde_json::to_string(&record.id).ok()?;
    draft.object_with(&record.props_json, &[("id", &id)], kind, locale)
}

fn chrome<'p>(
    draft: &mut Draft<'p>,
    answer: &GetChromeResponse,
    kind: &'p Kind,
    (ask, locale): (&Ask, Locale),
) -> Option<()> {
    let navigation = answer.navigation.as_ref().map_or("null", |it| &it.props_json);
    let footer = answer.footer.as_ref().map_or("null", |it| &it.props_json);
    let Ask::Chrome { part, .. } = ask else {
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

async fn price(draft: Draft<'_>, offers: &PageOffers) -> Option<String> {
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
