//! Whom an event is about: what it is found by when a member takes their data along or has it erased.
use serde_json::Value;

use super::privacy::is_recognising;

/// The ids of members and of what is theirs, in domain events and in what pages report.
const IDS: [&str; 4] = ["userId", "orderId", "surveyOrderId", "erasureId"];
const REPORTED_IDS: [&str; 2] = ["userid", "orderid"];
/// Keyed hashes, in the events that say who somebody is.
const HASHED_IDS: [&str; 2] = ["id", "email"];

const WEB: &str = "stillpoint.web.";

pub fn about(event: &str, data: &Value) -> Vec<String> {
    let fields = &data["fields"];
    let told = IDS.iter().map(|name| &data[*name]);
    let reported = REPORTED_IDS.iter().map(|name| &fields[*name]);
    let says_who = event.strip_prefix(WEB).is_some_and(is_recognising);
    let hashed = HASHED_IDS.iter().filter(|_| says_who).map(|name| &fields[*name]);
    let ids = told.chain(reported).chain(hashed).filter_map(Value::as_str);
    ids.filter(|id| !id.is_empty()).map(str::to_owned).collect()
}

/// Whether an event is about this member, and not about another who named what is theirs.
pub fn is_of(user_id: &str, found_by: &[String], event: &str, data: &Value) -> bool {
    let named = [&data["userId"], &data["fields"]["userid"]];
    let is_others = named
        .into_iter()
        .filter_map(Value::as_str)
        .any(|id| !id.is_empty() && id != user_id);
    !is_others && about(event, data).iter().any(|id| found_by.contains(id))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(event: &str, data: &Value, expected: &[&str]) {
        assert_eq!(about(event, data), expected, "{event} {data}");
    }

    #[test]
    fn domain_events_name_members_and_their_orders() {
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
    fn who_names_a_survey_of_somebody_else_is_somebody_else() {
        let found_by = ["usr_1".to_owned(), "svo_1".to_owned()];
        let is_of = |data| is_of("usr_1", &found_by, "stillpoint.some.thing.done", &data);
        assert!(is_of(json!({"userId": "usr_1"})));
        assert!(is_of(json!({"orderId": "svo_1", "userId": ""})));
        assert!(is_of(json!({"surveyOrderId": "svo_1"})));
        assert!(!is_of(json!({"orderId": "svo_1", "userId": "usr_2"})));
        assert!(!is_of(json!({"fields": {"orderid": "svo_1", "userid": "usr_2"}})));
        assert!(!is_of(json!({"userId": "usr_2"})));
    }

    #[test]
    fn pages_name_members_where_they_are_recognised() {
        let view = json!({"fields": {"userid": "usr_1", "orderid": "svo_1", "id": "x"}});
        check("stillpoint.web.pageload", &view, &["usr_1", "svo_1"]);
        let who = json!({"fields": {"id": "0af9", "email": "77b1", "name": "c2"}});
        check("stillpoint.web.user", &who, &["0af9", "77b1"]);
    }
}
