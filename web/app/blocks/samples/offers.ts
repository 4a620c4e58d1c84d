import type { PlanPartFragment, PriceBadgePartFragment } from "~/gen/graphql";
import type { Section } from "../types";
import { badge } from "./heroes";
import { button, offer, picture, secondButton } from "./parts";

/** Plans, prices and badges in every variant. */

const plain = { ...offer, defaultPrice: offer.price, discountRate: 0 };
const reduced = { ...offer, price: 91.99, minorPrice: 9199, discountRate: 41 };

const annual: PlanPartFragment = {
  title: "Annual",
  description: "A year of calm, at your own pace.",
  url: "/payment/annual",
  background: null,
  badge: "Best value",
  features: ["Every meditation, course and sleep story", "One coaching letter a month", "On all your devices"],
  button: { ...button, text: "Choose annual", url: "/payment/annual" },
  price: {
    campaignName: "web-annual",
    couponCode: null,
    divider: 12,
    mainPriceSuffix: "a month",
    discountedPriceSuffix: "a month",
    title: null,
    offer: plain,
  },
};

const monthly: PlanPartFragment = {
  ...annual,
  title: "Monthly",
  description: "Month by month, for as long as it helps.",
  url: "/payment/monthly",
  badge: null,
  features: ["Every meditation, course and sleep story", "Stop whenever you like"],
  button: { ...button, text: "Choose monthly", url: "/payment/monthly" },
  price: {
    ...annual.price,
    campaignName: "web-monthly",
    divider: null,
    offer: { ...plain, price: 12.99, defaultPrice: 12.99, minorPrice: 1299, trialDays: 0, periodMonths: 1 },
  },
};

const discounted: PlanPartFragment = {
  ...annual,
  title: "Annual, for the first year",
  badge: "−41 %",
  price: {
    ...annual.price,
    title: "For new members",
    offer: reduced,
  },
};

const lifetime: PlanPartFragment = {
  ...annual,
  title: "For life",
  description: "Paid once. Nothing renews, and nothing has to be remembered.",
  url: "/payment/lifetime",
  background: "night",
  badge: null,
  features: [],
  button: { ...button, text: "Choose for life", url: "/payment/lifetime" },
  price: { ...annual.price, campaignName: "web-lifetime", offer: null },
};

const planSamples: Section[] = [
  {
    __typename: "PlanList",
    id: "plans",
    heading: "Choose how you begin",
    description: "Both open everything. Seven days are free, and we write before they end.",
    note: "Renews until you stop it, which takes two presses in your profile.",
    plans: [annual, monthly],
  },
  {
    __typename: "PlanList",
    id: "plans-three",
    heading: null,
    description: null,
    note: null,
    plans: [monthly, discounted, lifetime],
  },
  { __typename: "ProductPlan", id: "product-plan", heading: "One plan, everything in it", plan: discounted },
  {
    __typename: "ProductPlan",
    id: "product-plan-plain",
    heading: null,
    plan: { ...lifetime, description: null, features: ["Every meditation", "Every course to come"] },
  },
  {
    __typename: "PaymentPrice",
    id: "payment-price",
    heading: "Annual plan",
    divider: 12,
    suffix: "a month",
    note: "You can stop at any time before the seven days end.",
    offer: reduced,
  },
  {
    __typename: "PaymentPrice",
    id: "payment-price-later",
    heading: null,
    divider: null,
    suffix: null,
    note: null,
    offer: null,
  },
];

const plainBadge: PriceBadgePartFragment = {
  ...badge,
  discountText: null,
  discountAmount: null,
  iconName: null,
  actualPriceColor: null,
};

const badgeSamples: Section[] = [
  { __typename: "PriceBadge", id: "badge", badge },
  {
    __typename: "PriceBadge",
    id: "badge-gradient",
    badge: { ...badge, gradient: "#2f2a63, #6953bb", iconName: "pacman", iconColor: "#f2c76e", actualPriceColor: null },
  },
  {
    __typename: "PriceBadge",
    id: "badge-icon",
    badge: { ...badge, period: "THREE_MONTHS", backgroundColor: "#22533b", iconName: "sun", iconColor: "#f2c76e" },
  },
  {
    __typename: "PriceBadge",
    id: "badge-partner",
    badge: {
      ...badge,
      period: "NONE",
      iconName: "turkcell",
      discountText: null,
      priceTextOverride: "3 months for the price of 1",
      url: "/offers/Turkcell",
      backgroundColor: "#fff3d6",
    },
  },
  { __typename: "PriceBadge", id: "badge-plain", badge: plainBadge },
  { __typename: "PriceBadge", id: "badge-free", badge: { ...plainBadge, actualPrice: "free" } },
];

const besideSamples: Section[] = [
  {
    __typename: "PaymentFooter",
    id: "payment-footer",
    body: "Payments are made over an encrypted connection. Your card's number never reaches our servers.",
    logos: [
      { url: "/partners/turkcell.svg", alt: "Turkcell", width: 96, height: 24 },
      picture("cover", "payment-mark", "Verified by the card networks"),
    ],
    links: [
      { text: "Terms", url: "/terms-and-conditions", external: false, noFollow: false },
      { text: "Privacy", url: "/privacy-policy", external: false, noFollow: false },
      { text: "Help with a payment", url: "https://help.stillpoint.example/", external: true, noFollow: true },
    ],
  },
  {
    __typename: "SpecialOfferBox",
    id: "special-offer",
    title: "A second year at half the price",
    body: "Because you are here already. It begins when your first year ends.",
    offerBadge: "Only on this page",
    button: { ...button, text: "Add the second year" },
  },
  {
    __typename: "SpecialOfferBox",
    id: "special-offer-plain",
    title: "Give a month to somebody",
    body: null,
    offerBadge: null,
    button: { ...secondButton, text: "Choose a card", url: "/gift" },
  },
  {
    __typename: "WhyNowDialog",
    id: "why-now",
    triggerText: "Why now?",
    title: "Why now is a good time",
    textHtml:
      "<p>Habits begin on ordinary days. Ten minutes today are worth more than an hour planned for spring.</p><ul><li>The first week is free.</li><li>Nothing renews before we have written to you.</li></ul>",
    image: picture("waves", "why-now"),
  },
  {
    __typename: "WhyNowDialog",
    id: "why-now-plain",
    triggerText: "Why do we ask?",
    title: "Why we ask for your e-mail",
    textHtml: "<p>It is where your receipts go, and how you come back to what you have paid for.</p>",
    image: null,
  },
  {
    __typename: "TrialDialog",
    id: "trial",
    triggerText: "How the free days work",
    title: "How your free days work",
    trialSteps: [
      { moment: "today", title: "Everything opens", text: "You begin today and pay nothing." },
      { moment: "day5", title: "We remind you", text: "A letter says that two days are left, and how to stop." },
      { moment: "day7", title: "The year begins", text: "Only now is your card charged, unless you have stopped." },
    ],
  },
];

export const offerSamples: Section[] = [...planSamples, ...badgeSamples, ...besideSamples];
