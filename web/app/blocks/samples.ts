import { accountSamples } from "./samples/accounts";
import { businessSamples, coachingSamples } from "./samples/business";
import { cardSamples } from "./samples/cards";
import { collectionSamples } from "./samples/collections";
import { giftSamples, purchaseSamples } from "./samples/commerce";
import { heroSamples } from "./samples/heroes";
import { journeySamples } from "./samples/journeys";
import { mediaSamples } from "./samples/media";
import { offerSamples } from "./samples/offers";
import { peopleSamples } from "./samples/people";
import { buttonSamples, headingSamples, pictureSamples, smallSamples, textSamples } from "./samples/words";
import type { Section } from "./types";

/** Samples of every kind of block, for the gallery and tests. */

const formSamples: Section[] = [
  {
    __typename: "LoginRegister",
    id: "account",
    title: "Create your account",
    status: "signUp",
    emailConfirmation: false,
    blockPaste: false,
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
    productPrice: null,
    packageValidityPeriod: null,
    freeTrialPeriod: null,
    autoRenew: true,
    transactionType: null,
    leanplumKey: null,
    leanplumValue: null,
    infoHtml: null,
    priceLabel: null,
    submitLabel: null,
    termsAndConditionsCheckbox: false,
    termsAndConditionsText: null,
    termsAndConditionsTextHtml: null,
    gdprCheckbox: false,
    gdprText: null,
    gdprTextHtml: null,
    appleGooglePay: true,
    appleGooglePayProductName: null,
    nextPage: null,
  },
];

/** Groups of the gallery. */
export const families: Record<string, Section[]> = {
  Openings: heroSamples,
  "Pictures and sound": [...pictureSamples, ...mediaSamples],
  Collections: collectionSamples,
  Words: [...headingSamples, ...textSamples, ...buttonSamples, ...smallSamples],
  People: peopleSamples,
  "Ways on": cardSamples,
  Offers: offerSamples,
  "On the way": journeySamples,
  "Accounts and forms": [...formSamples, ...accountSamples],
  Purchases: purchaseSamples,
  Gifts: giftSamples,
  Companies: businessSamples,
  Coaching: coachingSamples,
};

export const samples: Section[] = Object.values(families).flat();
