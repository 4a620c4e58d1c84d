//! A script's way: the form, however it came; the merchant; the signature; the work; the signed answer.

use super::{
    Ctx, Platron,
    error::{Answer, Failure},
    scripts::{self, Form},
    signature::{self, Fields, script_of},
    xml,
};
use crate::call::{Call, Desk, Reply};

impl Desk for Platron {
    fn answer(&self, call: &Call, now: i64) -> Reply {
        let script = script_of(&call.path);
        let answered = self.work(now, |ctx| admitted(ctx, call, script));
        match answered {
            Err(failure) => failure.reply(),
            Ok(fields) => {
                let signed = signature::signed(script, fields, &self.house.settings.secret_key);
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

fn admitted(ctx: &mut Ctx<'_>, call: &Call, script: &str) -> Answer {
    let fields = fields(call)?;
    let form = Form(&fields);
    let settings = &ctx.house.settings;
    if form.get("pg_merchant_id") != Some(settings.merchant_id.as_str()) {
        return Err(Failure::merchant());
    }
    if form.get("pg_salt").is_none() {
        return Err(Failure::parameter("pg_salt"));
    }
    if !signature::is_right(script, &fields, &settings.secret_key) {
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

/// In the address, as a form, or as XML in the parameter `pg_xml`.
fn fields(call: &Call) -> Result<Fields, Failure> {
    let fields = call.fields();
    let Some((_, text)) = fields.iter().find(|(name, _)| name == "pg_xml") else {
        return Ok(fields);
    };
    xml::read("request", text).ok_or_else(|| Failure::parameter("pg_xml"))
}
