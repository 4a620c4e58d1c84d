//! The API: form parsing, merchant, signature, routing, signed response.

mod scripts;

use super::{
    error::{ApiResult, Failure},
    provider::{Context, Platron},
    signature::{self, Fields, script_of},
    xml,
};
use crate::engine::http::call::{ApiHandler, Call, Reply};
use scripts::Form;

impl ApiHandler for Platron {
    type Admitted = ();

    fn admit(&self, _: &Call, _: i64) -> Result<(), Reply> {
        Ok(())
    }

    fn handle(&self, call: &Call, (): (), now: i64) -> Reply {
        let script = script_of(&call.path);
        match self.work(now, |ctx| route(ctx, call, script)) {
            Err(failure) => failure.reply(),
            Ok(fields) => {
                let signed = signature::signed(script, fields, &self.provider.settings.secret_key);
                Reply::text(200, "text/xml; charset=utf-8", xml::write("response", &signed))
            }
        }
    }

    fn outage(&self, status: u16) -> Reply {
        Reply {
            status,
            ..Failure::internal().reply()
        }
    }
}

fn route(ctx: &mut Context<'_>, call: &Call, script: &str) -> ApiResult {
    let fields = fields(call)?;
    let form = Form(&fields);
    let settings = &ctx.provider.settings;
    if form.get("pg_merchant_id") != Some(settings.merchant_id.as_str()) {
        return Err(Failure::merchant());
    }
    if form.get("pg_salt").is_none() {
        return Err(Failure::parameter("pg_salt"));
    }
    if !signature::is_valid(script, &fields, &settings.secret_key) {
        return Err(Failure::signature());
    }
    match script {
        "init_payment.php" => scripts::init_payment(ctx, &form),
        "get_status.php" => scripts::get_status(ctx, &form),
        "revoke.php" => scripts::revoke(ctx, &form),
        "cancel.php" => scripts::cancel(ctx, &form),
        "make_recurring_payment.php" => scripts::make_recurring_payment(ctx, &form),
        _ => Err(Failure::no_script()),
    }
}

/// Query parameters, form fields, or XML in the parameter `pg_xml`.
fn fields(call: &Call) -> Result<Fields, Failure> {
    let fields = call.fields();
    let Some((_, text)) = fields.iter().find(|(name, _)| name == "pg_xml") else {
        return Ok(fields);
    };
    xml::read("request", text).ok_or_else(|| Failure::parameter("pg_xml"))
}
