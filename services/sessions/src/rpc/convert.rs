//! Messages ⇄ domain.
use proto::sessions::v1::write_ai_text_response::{Crisis, Done, Event, Failed, Helpline};
use proto::sessions::v1::{WriteAiTextRequest, WriteAiTextResponse};

use crate::domain::position::Position;
use crate::domain::question::{Question, fault, idempotency_key};
use crate::domain::{crisis, helplines};
use crate::error::Error;
use crate::flows::{Ask, Heard, Told};

pub fn ask(request: &WriteAiTextRequest) -> Result<Ask, Error> {
    let question = Question::read(&request.question, &request.lang, &request.r#type);
    let key = idempotency_key(&request.idempotency_key);
    let after = match request.after.as_str() {
        "" => Ok(None),
        given => given
            .parse()
            .map(Some)
            .map_err(|_| fault("after", "INVALID", "Not a position in a reply.")),
    };
    match (question, key, after) {
        (Ok(question), Ok(idempotency_key), Ok(after)) => Ok(Ask {
            fingerprint: fingerprint(&question),
            question,
            idempotency_key,
            after,
        }),
        (question, key, after) => {
            let mut faults = question.err().unwrap_or_default();
            faults.extend(key.err());
            faults.extend(after.err());
            Err(Error::Invalid(faults))
        }
    }
}

/// Of what makes two questions the same, whatever blanks or unknown tags they came with.
fn fingerprint(question: &Question) -> [u8; 32] {
    kit::idempotency::fingerprint(&WriteAiTextRequest {
        question: question.text.clone(),
        lang: question.language.code.to_owned(),
        r#type: question.text_type.clone(),
        ..Default::default()
    })
}

pub fn crisis(question: &Question, country: &str, position: Position) -> Option<WriteAiTextResponse> {
    crisis::speaks_of_self_harm(&question.text).then(|| {
        let helplines = helplines::near(country, question.language)
            .into_iter()
            .map(|line| Helpline {
                name: line.name.to_owned(),
                phone: line.phone.to_owned(),
                url: line.url.to_owned(),
            })
            .collect();
        at(position, Event::Crisis(Crisis { helplines }))
    })
}

pub fn heard(heard: Heard) -> WriteAiTextResponse {
    let event = match heard.told {
        Told::Text(text) => Event::Text(text),
        Told::Done => Event::Done(Done {}),
        Told::Failed(reason) => Event::Failed(Failed {
            code: reason.code().to_owned(),
            message: reason.message().to_owned(),
        }),
    };
    at(heard.position, event)
}

fn at(position: Position, event: Event) -> WriteAiTextResponse {
    WriteAiTextResponse {
        position: position.to_string(),
        event: Some(event),
    }
}
