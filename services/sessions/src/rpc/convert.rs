//! Converts messages to domain types and back.
use kit::error::{ErrorCode, FieldError};
use proto::sessions::v1::write_ai_text_response::{Crisis, Done, Event, Failed, Helpline};
use proto::sessions::v1::{WriteAiTextRequest, WriteAiTextResponse};

use crate::domain::position::Position;
use crate::domain::question::{Question, parse_idempotency_key};
use crate::domain::{crisis, helplines};
use crate::error::Error;
use crate::flows::{AiTextRequest, PositionedEvent, ReplyEvent};

pub fn ai_text_request(request: &WriteAiTextRequest) -> Result<AiTextRequest, Error> {
    let question = Question::parse(&request.question, &request.lang, &request.r#type);
    let key = parse_idempotency_key(&request.idempotency_key);
    let after = match request.after.as_str() {
        "" => Ok(None),
        given => given
            .parse()
            .map(Some)
            .map_err(|_| FieldError::new("after", ErrorCode::Invalid, "Not a position in a reply.")),
    };
    match (question, key, after) {
        (Ok(question), Ok(idempotency_key), Ok(after)) => Ok(AiTextRequest {
            fingerprint: fingerprint(&question),
            question,
            idempotency_key,
            after,
        }),
        (question, key, after) => {
            let mut errors = question.err().unwrap_or_default();
            errors.extend(key.err());
            errors.extend(after.err());
            Err(Error::Invalid(errors))
        }
    }
}

/// After normalisation, so that blanks and unsupported language tags make no difference.
fn fingerprint(question: &Question) -> [u8; 32] {
    kit::idempotency::fingerprint(&WriteAiTextRequest {
        question: question.text.clone(),
        lang: question.language.code.to_owned(),
        r#type: question.text_type.clone(),
        ..Default::default()
    })
}

pub fn crisis(question: &Question, country: &str, position: Position) -> Option<WriteAiTextResponse> {
    crisis::mentions_self_harm(&question.text).then(|| {
        let helplines = helplines::helplines_for(country, question.language)
            .into_iter()
            .map(|line| Helpline {
                name: line.name.to_owned(),
                phone: line.phone.to_owned(),
                url: line.url.to_owned(),
            })
            .collect();
        response_at(position, Event::Crisis(Crisis { helplines }))
    })
}

pub fn response(positioned: PositionedEvent) -> WriteAiTextResponse {
    let event = match positioned.event {
        ReplyEvent::Text(text) => Event::Text(text),
        ReplyEvent::Done => Event::Done(Done {}),
        ReplyEvent::Failed(reason) => Event::Failed(Failed {
            code: reason.code().to_owned(),
            message: reason.message().to_owned(),
        }),
    };
    response_at(positioned.position, event)
}

fn response_at(position: Position, event: Event) -> WriteAiTextResponse {
    WriteAiTextResponse {
        position: position.to_string(),
        event: Some(event),
    }
}
