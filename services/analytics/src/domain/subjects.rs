//! The subjects of an event: the ids by which export and erasure of a member find it.
use serde_json::Value;

use super::privacy::is_identifying;

/// Fields with ids of members and their orders, in domain events and in browser events.
const DOMAIN_EVENT_IDS: [&str; 4] = ["userId", "orderId", "surveyOrderId", "erasureId"];
const WEB_EVENT_IDS: [&str; 2] = ["userid", "orderid"];
/// Fields with keyed hashes, in events that identify a person.
const HASHED_IDS: [&str; 2] = ["id", "email"];

/// What the subjects of browser events begin with.
pub const WEB_PREFIX: &str = "stillpoint.web.";

pub fn subject_ids(event: &str, data: &Value) -> Vec<String> {
    let fields = &data["fields"];
    let domain_ids = DOMAIN_EVENT_IDS.iter().map(|name| &data[*name]);
    let web_ids = WEB_EVENT_IDS.iter().map(|name| &fields[*name]);
    let is_identifying_event = event.strip_prefix(WEB_PREFIX).is_some_and(is_identifying);
    let hashed = HASHED_IDS
        .iter()
        .filter(|_| is_identifying_event)
        .map(|name| &fields[*name]);
    let ids = domain_ids.chain(web_ids).chain(hashed).filter_map(Value::as_str);
    ids.filter(|id| !id.is_empty()).map(str::to_owned).collect()
}

/// Whether an event is about this member. An event with another member's id is not, even if it names this member's order.
pub fn is_about_member(user_id: &str, identifiers: &[String], event: &str, data: &Value) -> bool {
    let named = [&data["userId"], &data["fields"]["userid"]];
    let names_another_member = named
        .into_iter()
        .filter_map(Value::as_str)
        .any(|id| !id.is_empty() && id != user_id);
    !names_another_member && subject_ids(event, data).iter().any(|id| identifiers.contains(id))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(event: &str, data: &Value, expected: &[&str]) {
        assert_eq!(subject_ids(event, data), expected, "{event} {data}");
    }

    #[test]
    fn domain_events_have_member_and_order_ids() {
        let registered = json!({"userId": "usr_1", "orderId": "svo_1", "method": "form"});
        check(
            "stillpoint.auth.user.registered",
            &registered,
            &["usr_1", "svo_1"],
        );
        let paid = json!({"surveyOrderId": "svo_1", "userId": "usr_1", "orderId": "ord_1"});
        check(
            "stillpoint.checkout.survey_order.paid",
            &paid,
            &["usr_1", "ord_1", "svo_1"],
        );
        check("stillpoint.content.page.published", &json!({"urlPath": "/"}), &[]);
        check("stillpoint.auth.token.validated", &json!({"userId": ""}), &[]);
        check("stillpoint.odd", &Value::Null, &[]);
    }

    #[test]
    fn event_of_another_member_who_names_this_survey_is_not_matched() {
        let identifiers = ["usr_1".to_owned(), "svo_1".to_owned()];
        let is_of = |data| is_about_member("usr_1", &identifiers, "stillpoint.some.thing.done", &data);
        assert!(is_of(json!({"userId": "usr_1"})));
        assert!(is_of(json!({"orderId": "svo_1", "userId": ""})));
        assert!(is_of(json!({"surveyOrderId": "svo_1"})));
        assert!(!is_of(json!({"orderId": "svo_1", "userId": "usr_2"})));
        assert!(!is_of(json!({"fields": {"orderid": "svo_1", "userid": "usr_2"}})));
        assert!(!is_of(json!({"userId": "usr_2"})));
    }

    #[test]
    fn web_events_have_ids_and_hashes() {
        let view = json!({"fields": {"userid": "usr_1", "orderid": "svo_1", "id": "x"}});
        check("stillpoint.web.pageload", &view, &["usr_1", "svo_1"]);
        let who = json!({"fields": {"id": "0af9", "email": "77b1", "name": "c2"}});
        check("stillpoint.web.user", &who, &["0af9", "77b1"]);
    }
}
