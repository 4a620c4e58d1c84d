import { collectionSamples } from "./samples/collections";
import { heroSamples } from "./samples/heroes";
import { mediaSamples } from "./samples/media";
import { button } from "./samples/parts";
import type { Section } from "./types";

/** Blocks of every kind in every state, for the gallery and for tests. */

const plan = (title: string, campaignName: string, url: string, minorPrice: number) => ({
  title,
  description: null,
  url,
  badge: title === "Annual" ? "Best value" : null,
  features: ["Every meditation"],
  button: { ...button, text: `Choose ${title.toLowerCase()}`, url },
  price: {
    campaignName,
    couponCode: null,
    divider: title === "Annual" ? 12 : null,
    mainPriceSuffix: "a month",
    discountedPriceSuffix: "a month",
    title: null,
    offer: {
      currency: "USD",
      price: minorPrice / 100,
      defaultPrice: minorPrice / 100,
      discountRate: 0,
      trialDays: title === "Annual" ? 7 : 0,
      periodMonths: title === "Annual" ? 12 : 1,
      minorPrice,
      exponent: 2,
    },
  },
});

export const samples: Section[] = [
  ...heroSamples,
  ...mediaSamples,
  ...collectionSamples,
  {
    __typename: "Heading",
    id: "heading",
    text: "A quiet heading",
    tag: "h2",
    sub: "and its line",
    level: null,
    direction: null,
    color: null,
  },
  { __typename: "MarkdownText", id: "text", html: "<p>Words.</p>" },
  {
    __typename: "FeatureCards",
    id: "features",
    heading: "Three ways",
    description: null,
    items: [
      { icon: "meditation", heading: "Meditation", text: "Sit.", url: "/programs", image: null },
      { icon: "unheard-of", heading: "Coaching", text: "Talk.", url: null, image: null },
    ],
  },
  {
    __typename: "PlanList",
    id: "plans",
    heading: "Choose how you begin",
    description: null,
    note: null,
    plans: [
      plan("Annual", "web-annual", "/payment/annual", 6999),
      plan("Monthly", "web-monthly", "/payment/monthly", 1299),
    ],
  },
  {
    __typename: "Testimonials",
    id: "words",
    heading: "What members tell us",
    testimonials: ["maya", "tom"].map((id) => ({
      id,
      quote: `A sentence by ${id}.`,
      videoUrl: null,
      image: null,
      companyLogo: null,
      personName: id,
      personTitle: null,
      personImage: null,
    })),
  },
  {
    __typename: "Accordion",
    faq: true,
    id: "faq",
    heading: "Good questions",
    items: [{ question: "Is it hard?", answerHtml: "<p>No.</p>" }],
  },
  {
    __typename: "LoginRegister",
    id: "account",
    title: "Create your account",
    status: "signUp",
    emailConfirmation: false,
    disabled: false,
    texts: { description: null, signUpSubmit: null, signInSubmit: null, termsNoteHtml: null },
  },
  {
    __typename: "PaymentForm",
    id: "payment",
    title: "Begin your annual plan",
    campaign: "web-annual",
    couponCode: null,
    productId: null,
    productName: null,
    productCategory: null,
    infoHtml: null,
    priceLabel: null,
    submitLabel: null,
    termsAndConditionsCheckbox: false,
    gdprCheckbox: false,
    nextPage: null,
  },
  {
    __typename: "SuccessPage",
    id: "success",
    title: "Welcome",
    description: null,
    steps: [
      {
        text: "Get the app.",
        actionLink: { text: "Open", url: "https://www.example.com/app/", deepLink: "stillpoint://today" },
      },
    ],
    image: null,
    qrCode: { image: null, url: "https://www.example.com/app/", instructions: [{ icon: "camera", text: "Scan." }] },
  },
];
