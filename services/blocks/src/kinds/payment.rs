//! Prices and payment forms.
pub mod bin_offer;
pub mod campaign_landing;
pub mod extra_session;
pub mod gift_card;
pub mod gift_payment_form;
pub mod one_time_payment_form;
pub mod payment_footer;
pub mod payment_form;
pub mod payment_price;
pub mod payment_return;
pub mod plan_list;
pub mod price_badge;
pub mod product_plan;
pub mod special_offer_box;
pub mod two_col_payment_form;
