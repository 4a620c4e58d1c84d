//! Signing in with Apple, Google and Facebook, as the sandbox plays them.

mod attacks;
mod issue_social_nonce;
mod linking;

use kit::error::Failure;
use kit::testing::TestHost;
use proto::auth::v1::{
    Caller, IssueSocialNonceRequest, SignInRequest, SignInResponse, SignInSociallyRequest,
    SignInSociallyResponse,
};
use sandbox::social::{Case, Person, PersonRef, Provider, SignIn};
use sandbox::{Options, Sandbox};
use serde_json::{Value, json};

use crate::fixture::{Auth, CHEAP, NO_POST, PASSWORD, answered, eventually, publish_data};

pub struct World {
    pub auth: Auth,
    pub sandbox: Sandbox,
}

/// What a browser keeps between its question and the answer.
pub struct Browser {
    pub cookie: String,
    pub nonce: String,
}

impl World {
    pub async fn start() -> Self {
        let test = TestHost::start_for(&[auth::definition()]).await;
        let options = Options {
            clock: test.clock().clone(),
            ..Options::default()
        };
        let sandbox = Sandbox::start(options).await.unwrap();
        let at = |path: &str| format!("{}{path}", sandbox.base());
        let social = sandbox.social();
        let settings = [
            ("APPLE_CLIENT_ID", social.clients.apple.clone()),
            ("APPLE_ISSUER", social.issuer(Provider::Apple)),
            ("APPLE_JWKS_URL", at("/apple/auth/keys")),
            ("GOOGLE_CLIENT_ID", social.clients.google.clone()),
            ("GOOGLE_ISSUER", social.issuer(Provider::Google)),
            ("GOOGLE_JWKS_URL", at("/google/oauth2/v3/certs")),
            ("FACEBOOK_APP_ID", social.clients.facebook.clone()),
            ("FACEBOOK_APP_SECRET", social.clients.facebook_secret.clone()),
            ("FACEBOOK_GRAPH_URL", at("/facebook/v24.0/")),
        ];
        let auth = Auth::run(test.with_env(CHEAP).with_env([NO_POST]).with_env(settings)).await;
        Self { auth, sandbox }
    }

    pub async fn browser(&self) -> Browser {
        self.same_browser("").await
    }

    /// Another question of a browser that asked before.
    pub async fn same_browser(&self, cookie: &str) -> Browser {
        let request = IssueSocialNonceRequest {
            social_browser: cookie.to_owned(),
        };
        let issued = answered(self.auth.client().issue_social_nonce(request).await).unwrap();
        Browser {
            cookie: issued.social_browser,
            nonce: issued.nonce,
        }
    }

    /// What the provider's window hands to the page.
    pub fn chosen(&self, provider: Provider, nonce: &str, person: &Person, case: Case) -> Value {
        let social = self.sandbox.social();
        let client_id = match provider {
            Provider::Apple => &social.clients.apple,
            Provider::Google => &social.clients.google,
            Provider::Facebook => &social.clients.facebook,
        };
        let asked = SignIn {
            provider,
            client_id: client_id.clone(),
            nonce: Some(nonce.to_owned()),
            state: None,
            person: PersonRef::Other(person.clone()),
            case,
        };
        let now = self.auth.test.clock().now().timestamp();
        social.sign_in(asked, now).unwrap()
    }

    /// What the page sends of it.
    pub fn request(
        &self,
        provider: Provider,
        browser: &Browser,
        person: &Person,
        case: Case,
    ) -> SignInSociallyRequest {
        let chosen = self.chosen(provider, &browser.nonce, person, case);
        let (name, token) = match provider {
            Provider::Apple => ("apple", &chosen["authorization"]["id_token"]),
            Provider::Google => ("google", &chosen["credential"]),
            Provider::Facebook => ("facebook", &chosen["authResponse"]["accessToken"]),
        };
        let notification = &chosen["user"]["name"];
        let notification = [&notification["firstName"], &notification["lastName"]]
            .map(|part| part.as_str().unwrap_or_default());
        SignInSociallyRequest {
            provider: name.to_owned(),
            token: token.as_str().unwrap().to_owned(),
            social_browser: browser.cookie.clone(),
            claimed_email: String::new(),
            claimed_id: String::new(),
            name: notification.join(" ").trim().to_owned(),
            lang: "de".to_owned(),
            country: "DE".to_owned(),
            idempotency_key: String::new(),
            caller: Some(Caller::default()),
            order_id: String::new(),
            existing_only: false,
        }
    }

    pub async fn send(&self, request: SignInSociallyRequest) -> Result<SignInSociallyResponse, Failure> {
        answered(self.auth.client().sign_in_socially(request).await)
    }

    /// All of it in a browser that never asked before.
    pub async fn enter(
        &self,
        provider: Provider,
        person: &Person,
        case: Case,
    ) -> Result<SignInSociallyResponse, Failure> {
        let browser = self.browser().await;
        self.send(self.request(provider, &browser, person, case)).await
    }

    pub async fn refusal(&self, provider: Provider, person: &Person, case: Case) -> String {
        self.enter(provider, person, case).await.unwrap_err().code
    }

    pub async fn sign_in_with_password(
        &self,
        credentials: Credentials,
        cookie: &str,
    ) -> Result<SignInResponse, Failure> {
        let request = SignInRequest {
            email: credentials.email.to_owned(),
            password: credentials.password.to_owned(),
            lang: "en".to_owned(),
            social_browser: cookie.to_owned(),
            join_provider: String::new(),
            caller: Some(Caller::default()),
        };
        answered(self.auth.client().sign_in(request).await)
    }

    pub async fn identities(&self) -> i64 {
        self.auth.count("select count(*) from identity").await
    }
}

pub fn ada() -> Person {
    Person::new("Ada", "Lovelace", "ada@example.com")
}

pub fn name_of(entered: &SignInSociallyResponse) -> &str {
    &entered.user.as_ref().unwrap().full_name
}

#[tokio::test]
async fn first_sign_in_opens_an_account_and_later_ones_return_to_it() {
    for provider in Provider::ALL {
        let world = World::start().await;
        let first = world.enter(provider, &ada(), Case::Valid).await.unwrap();
        assert!(first.is_new, "{provider:?}");
        let user = first.user.unwrap();
        assert_eq!(
            (user.full_name.as_str(), user.email.as_str()),
            ("Ada Lovelace", "ada@example.com")
        );
        let session = first.session.unwrap().token;
        world.auth.authenticate(&session).await.unwrap();

        let second = world.enter(provider, &ada(), Case::Valid).await.unwrap();
        assert!(!second.is_new);
        assert_eq!(second.user.unwrap().user_id, user.user_id);
        assert_ne!(second.session.unwrap().token, session);

        let method = format!("{provider:?}").to_lowercase();
        for (subject, field, value) in [
            ("stillpoint.auth.user.registered", "method", &method),
            ("stillpoint.auth.identity.linked", "provider", &method),
            ("stillpoint.auth.user.signed_in", "method", &method),
            ("stillpoint.auth.user.signed_in", "userId", &user.user_id),
        ] {
            let events = world.auth.test.events(subject, 1).await;
            assert_eq!(events[0].data[field], value.as_str(), "{subject}");
        }
    }
}

#[tokio::test]
async fn a_sign_in_to_existing_accounts_only_creates_no_account() {
    let world = World::start().await;
    for provider in Provider::ALL {
        let browser = world.browser().await;
        let mut request = world.request(provider, &browser, &ada(), Case::Valid);
        request.existing_only = true;
        let refused = world.send(request).await.unwrap_err();
        assert_eq!(refused.code, "SOCIAL_ACCOUNT_MISSING", "{provider:?}");
    }
    assert_eq!(world.auth.count("select count(*) from account").await, 0);

    world.enter(Provider::Apple, &ada(), Case::Valid).await.unwrap();
    let browser = world.browser().await;
    let mut request = world.request(Provider::Apple, &browser, &ada(), Case::Valid);
    request.existing_only = true;
    assert!(!world.send(request).await.unwrap().is_new);
}

#[tokio::test]
async fn mails_to_a_member_from_google_are_in_the_language_of_the_sign_up() {
    let world = World::start().await;
    let browser = world.browser().await;
    let mut request = world.request(Provider::Google, &browser, &ada(), Case::Valid);
    request.lang = "tr".to_owned();
    let user = world.send(request).await.unwrap().user.unwrap();
    let amount = json!({"amountMinor": "1299", "currency": "EUR"});
    let order = json!({"orderId": "ord_1", "userId": user.user_id, "paymentId": "pay_1", "amount": amount});
    publish_data(&world.auth, "e-1", "stillpoint.checkout.order.paid", order).await;
    let receipts = "select count(*) from mail_outbox where lang = 'tr'";
    eventually(async || world.auth.count(receipts).await == 1).await;
}

#[tokio::test]
async fn apple_sends_the_name_once_and_it_is_stored() {
    let world = World::start().await;
    let first = world.enter(Provider::Apple, &ada(), Case::Valid).await.unwrap();
    assert_eq!(name_of(&first), "Ada Lovelace");

    let browser = world.browser().await;
    let mut later = world.request(Provider::Apple, &browser, &ada(), Case::Valid);
    assert_eq!(later.name, "");
    later.name = "Another Name".to_owned();
    let second = world.send(later).await.unwrap();
    assert_eq!(name_of(&second), "Ada Lovelace");
}

#[tokio::test]
async fn missing_name_becomes_user() {
    let world = World::start().await;
    let browser = world.browser().await;
    let mut request = world.request(Provider::Apple, &browser, &ada(), Case::Valid);
    request.name.clear();
    assert_eq!(name_of(&world.send(request).await.unwrap()), "User");
}

#[tokio::test]
async fn without_an_address_there_is_no_new_account_but_an_old_one_opens() {
    let world = World::start().await;
    for provider in Provider::ALL {
        let refused = world.refusal(provider, &ada(), Case::NoEmail).await;
        assert_eq!(refused, "SOCIAL_EMAIL_MISSING", "{provider:?}");
    }
    world
        .enter(Provider::Facebook, &ada(), Case::Valid)
        .await
        .unwrap();
    let back = world.enter(Provider::Facebook, &ada(), Case::NoEmail).await;
    assert!(!back.unwrap().is_new);
}

#[tokio::test]
async fn a_repeat_with_the_same_key_has_one_effect() {
    let world = World::start().await;
    let browser = world.browser().await;
    let request = SignInSociallyRequest {
        idempotency_key: "k-1".to_owned(),
        ..world.request(Provider::Google, &browser, &ada(), Case::Valid)
    };
    let first = world.send(request.clone()).await.unwrap();
    let again = world.send(request.clone()).await.unwrap();
    assert!(first.is_new && again.is_new);
    assert_eq!(first.user, again.user);
    assert_ne!(first.session, again.session);
    assert_eq!(world.auth.count("select count(*) from account").await, 1);

    let elsewhere = world.browser().await;
    let other = SignInSociallyRequest {
        idempotency_key: "k-1".to_owned(),
        ..world.request(Provider::Google, &elsewhere, &ada(), Case::Valid)
    };
    assert_eq!(world.send(other).await.unwrap_err().code, "IDEMPOTENCY_CONFLICT");
    let stolen = SignInSociallyRequest {
        social_browser: elsewhere.cookie,
        ..request
    };
    assert_eq!(world.send(stolen).await.unwrap_err().code, "SOCIAL_TOKEN_INVALID");
}

/// What one of them finds is not there a moment before: often enough that each order of reading and writing comes up.
#[tokio::test]
async fn two_windows_at_once_make_one_account() {
    let world = World::start().await;
    for number in 0..40 {
        let person = Person::new("Ada", "Lovelace", &format!("window{number}@example.com"));
        let (left, right) = (world.browser().await, world.browser().await);
        let [left, right] =
            [left, right].map(|browser| world.request(Provider::Google, &browser, &person, Case::Valid));
        let (one, other) = tokio::join!(world.send(left), world.send(right));
        let (one, other) = (one.unwrap(), other.unwrap());
        assert_eq!(one.user.unwrap().user_id, other.user.unwrap().user_id);
        assert!(one.is_new != other.is_new, "{number}");
    }
}

#[tokio::test]
async fn a_provider_that_does_not_know_us_is_not_offered() {
    let auth = Auth::start().await;
    for provider in ["apple", "google", "facebook", "myspace"] {
        let request = SignInSociallyRequest {
            provider: provider.to_owned(),
            token: "t".to_owned(),
            ..SignInSociallyRequest::default()
        };
        let refused = answered(auth.client().sign_in_socially(request).await).unwrap_err();
        assert_eq!(refused.code, "SOCIAL_NOT_OFFERED");
    }
}

#[tokio::test]
async fn what_is_used_up_or_over_is_forgotten() {
    let world = World::start().await;
    world.enter(Provider::Google, &ada(), Case::Valid).await.unwrap();
    assert_eq!(world.auth.count("select count(*) from used_credential").await, 1);
    world.auth.test.clock().advance(chrono::TimeDelta::minutes(11));
    eventually(async || world.auth.count("select count(*) from used_credential").await == 0).await;
}

/// Address and password of the fixture's member.
pub const ADAS: Credentials = Credentials {
    email: "ada@example.com",
    password: PASSWORD,
};

#[derive(Clone, Copy)]
pub struct Credentials {
    pub email: &'static str,
    pub password: &'static str,
}
