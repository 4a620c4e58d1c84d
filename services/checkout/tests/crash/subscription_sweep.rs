//! Killed at every await that matters: at each call to Stripe, before it arrives, while it is on its way and after it was
//! worked on, and at each commit. A sweep takes the first, the second, the third … of them until a payment gets through without
//! meeting its own, so that a call or a transaction that is added later is met too.
//!
//! What lies between two of those points changes nothing that outlives the process: killed there, it is as if killed at
//! the next.

use checkout::domain::ids::UserId;
use proto::checkout::v1::{
    CreateSubscriptionRequest, CreateSubscriptionResponse, ListSubscriptionsRequest, ResolveCampaignRequest,
};
use uuid::Uuid;

use crate::crash_points::{CALLS, CrashPoint, CrashPoints, MinimumHits};
use crate::fake_provider::{APPROVED, STRIPE};
use crate::fixture::{Fixture, until};

const LONGEST: u32 = 40;

const CRASH_POINTS: [CrashPoint; 4] = [CALLS[0], CALLS[1], CALLS[2], CrashPoint::BeforeCommit];

/// What is bought, and how it ends.
struct Flow {
    campaign: &'static str,
    coupon_code: &'static str,
    status: &'static str,
    charges: usize,
}

struct Sweep {
    fixture: Fixture,
    points: CrashPoints,
    flow: Flow,
    price_id: String,
    buyers: usize,
}

impl Sweep {
    async fn start(flow: Flow) -> Self {
        let fixture = Fixture::patient("300").await;
        let points = CrashPoints::of(fixture.pool().await, STRIPE).await;
        let ask = ResolveCampaignRequest {
            campaign: flow.campaign.into(),
            coupon_code: flow.coupon_code.into(),
            language: "en".into(),
            ..Default::default()
        };
        let offer = fixture
            .client()
            .resolve_campaign(ask)
            .await
            .unwrap()
            .into_inner()
            .offer;
        Self {
            price_id: offer.unwrap().price_id,
            fixture,
            points,
            flow,
            buyers: 0,
        }
    }

    /// A new member with a new card.
    async fn request(&mut self) -> CreateSubscriptionRequest {
        self.buyers += 1;
        let user_id = UserId::parse(&format!(
            "usr_{:032x}",
            0x0192_f0c0_a000_7000_8000_0000_0000_0000_u128 + self.buyers as u128
        ));
        CreateSubscriptionRequest {
            user_id: user_id.unwrap().to_string(),
            email: format!("buyer{}@example.com", self.buyers),
            price_id: self.price_id.clone(),
            coupon_code: self.flow.coupon_code.into(),
            payment_method_id: self.fixture.fake_provider.card(APPROVED).await,
            idempotency_key: Uuid::from_u128(self.buyers as u128).to_string(),
            ..Default::default()
        }
    }

    async fn run_all(&mut self, minimum: MinimumHits) {
        for point in CRASH_POINTS {
            let mut met = 0;
            while self.killed_at(point, met + 1).await {
                met += 1;
                assert!(met < LONGEST, "{point:?}: does not come to an end");
            }
            minimum.check(self.flow.campaign, point, met);
        }
    }

    /// False when the payment got through without meeting that point.
    async fn killed_at(&mut self, point: CrashPoint, nth: u32) -> bool {
        let request = self.request().await;
        self.points.choose(&self.fixture.fake_provider, point, nth).await;
        let mut pending = self.fixture.pay(request.clone());
        let met = loop {
            if self.points.is_reached(&self.fixture.fake_provider, point).await {
                break true;
            }
            let soon = std::time::Duration::from_millis(5);
            if let Ok(ended) = tokio::time::timeout(soon, &mut pending).await {
                self.check_answer(&ended.unwrap().unwrap());
                break false;
            }
        };
        if met {
            self.fixture.kill();
            // A commit that the buyer does not wait for may be met after the answer.
            if let Ok(answer) = pending.await.unwrap() {
                self.check_answer(&answer);
            }
        }
        self.points.clear(&self.fixture.fake_provider, point).await;
        if met {
            self.fixture.launch().await;
        }
        self.check(&request, &format!("{point:?} {nth}")).await;
        met
    }

    async fn count(&self, query: &'static str) -> usize {
        self.points.count(query).await
    }

    fn check_answer(&self, answer: &CreateSubscriptionResponse) {
        let status = answer
            .subscription
            .as_ref()
            .map(|subscription| subscription.status.as_str());
        assert_eq!(status, Some(self.flow.status));
    }

    /// One order, one charge and one event of each kind exist, and the invariants hold.
    async fn check(&self, request: &CreateSubscriptionRequest, point: &str) {
        let list = ListSubscriptionsRequest {
            user_id: request.user_id.clone(),
        };
        until(point, async || {
            let listed = self.fixture.client().list_subscriptions(list.clone()).await;
            let listed = listed.unwrap().into_inner().subscriptions;
            match listed.first() {
                // Killed before anything was written: the buyer's browser sends it again, and again.
                None => {
                    let _ = self.fixture.pay(request.clone()).await.unwrap();
                    false
                }
                Some(first) => first.status == self.flow.status,
            }
        })
        .await;
        self.check_answer(&self.fixture.pay(request.clone()).await.unwrap().unwrap());

        let buyers = self.buyers;
        assert_eq!(
            self.count("select count(*) from orders").await,
            buyers,
            "{point}: orders"
        );
        assert_eq!(
            self.fixture.fake_provider.captured_charges().await.len(),
            buyers * self.flow.charges,
            "{point}: charges"
        );
        assert_eq!(
            self.fixture.fake_provider.subscriptions().await.len(),
            buyers,
            "{point}: subscriptions at Stripe"
        );
        let query = "select count(*) from outbox where event->>'type' like '%subscription.activated'";
        assert_eq!(self.count(query).await, buyers, "{point}: activations emitted");
        let paid = "select count(*) from outbox where event->>'type' like '%.order.paid'";
        assert_eq!(
            self.count(paid).await,
            buyers * self.flow.charges,
            "{point}: payments emitted"
        );
        let redeemed = "select count(*) from coupon_claim where state = 'redeemed'";
        let coupons = usize::from(!self.flow.coupon_code.is_empty());
        assert_eq!(self.count(redeemed).await, buyers * coupons, "{point}: coupons");
        self.fixture.check_invariants().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_month_with_a_coupon_is_paid_once() {
    let flow = Flow {
        campaign: "web-monthly",
        coupon_code: "WELCOME20",
        status: "active",
        charges: 1,
    };
    Sweep::start(flow).await.run_all(MinimumHits::calls(3, 3)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_anywhere_a_trial_begins_once() {
    let flow = Flow {
        campaign: "free-trial",
        coupon_code: "",
        status: "trialing",
        charges: 0,
    };
    Sweep::start(flow).await.run_all(MinimumHits::calls(3, 3)).await;
}
