import { presentAppDownloadBox } from "../app-download-box/present.server";
import { presentBinOffer } from "../bin-offer/present.server";
import { presentBlogCards } from "../blog-cards/present.server";
import { presentCampaignLanding } from "../campaign-landing/present.server";
import { presentDynamicProgramContent } from "../dynamic-program-content/present.server";
import { presentMeditationPlayer } from "../meditation-player/present.server";
import { presentMemberAccount } from "../member-account/present.server";
import {
  presentOneTimePaymentForm,
  presentOneTimePaymentWithAdditionForm,
} from "../one-time-payment-form/present.server";
import { presentPaymentForm } from "../payment-form/present.server";
import { presentPaymentPrice } from "../payment-price/present.server";
import { presentPlanList } from "../plan-list/present.server";
import { presentProductPlan } from "../product-plan/present.server";
import { presentProgressBar } from "../progress-bar/present.server";
import { presentQr } from "../qr/present.server";
import { presentSuccessPage } from "../success-page/present.server";
import { presentSuggestedProgramPage } from "../suggested-program-page/present.server";
import { presentTwoColPaymentForm } from "../two-col-payment-form/present.server";
import type { Data, Kind, Leaf, LeafKind, LeafView, PageContext, Section, SectionView } from "../types";
import { presentUserProfileUpdate } from "../user-profile-update/present.server";
import {
  presentCallToActionBanner,
  presentExplanationBoxes,
  presentNewYearHero,
  presentPriceBadge,
  presentSurveyLandingHero,
} from "./colours.server";
import { withContact } from "./contact.server";
import { withSocial } from "./social.server";

/** Presenters turn a block's data into text or pictures on the server: prices, dates, codes. */
export const presenters = {
  AccountLink: withContact<Data<"AccountLink">>,
  AppDownloadBox: presentAppDownloadBox,
  B2bBookADemo: withContact<Data<"B2bBookADemo">>,
  B2bCalculator: withContact<Data<"B2bCalculator">>,
  B2bDashboard: withContact<Data<"B2bDashboard">>,
  B2bFrom: withContact<Data<"B2bFrom">>,
  BinOffer: presentBinOffer,
  BlogCards: presentBlogCards,
  CallToActionBanner: presentCallToActionBanner,
  CampaignLanding: presentCampaignLanding,
  CoachingChat: withContact<Data<"CoachingChat">>,
  CoachingSignup: withContact<Data<"CoachingSignup">>,
  CoachingWelcome: withContact<Data<"CoachingWelcome">>,
  DynamicProgramContent: presentDynamicProgramContent,
  ExplanationBoxes: presentExplanationBoxes,
  ExtraSession: withContact<Data<"ExtraSession">>,
  GiftCardBuilder: withContact<Data<"GiftCardBuilder">>,
  GiftGenerator: withContact<Data<"GiftGenerator">>,
  GiftPaymentForm: withContact<Data<"GiftPaymentForm">>,
  GympassPage: withContact<Data<"GympassPage">>,
  LoginRegister: withSocial<Data<"LoginRegister">>,
  MeditationPlayer: presentMeditationPlayer,
  MemberAccount: presentMemberAccount,
  NewYearHero: presentNewYearHero,
  OneTimePaymentForm: presentOneTimePaymentForm,
  OneTimePaymentWithAdditionForm: presentOneTimePaymentWithAdditionForm,
  PaymentForm: presentPaymentForm,
  PaymentPrice: presentPaymentPrice,
  PlanList: presentPlanList,
  PriceBadge: presentPriceBadge,
  ProductPlan: presentProductPlan,
  ProgressBar: presentProgressBar,
  Qr: presentQr,
  RegisterBusinessUser: withContact<Data<"RegisterBusinessUser">>,
  SocialSignIn: withSocial<Data<"SocialSignIn">>,
  SuccessPage: presentSuccessPage,
  SuggestedProgramPage: presentSuggestedProgramPage,
  SurveyLandingHero: presentSurveyLandingHero,
  TwoColPaymentForm: presentTwoColPaymentForm,
  UserProfileUpdate: presentUserProfileUpdate,
} satisfies { [K in LeafKind]?: (block: Data<K>, context: PageContext) => unknown };

export function present(section: Section, context: PageContext): SectionView {
  if (!("sections" in section)) return presentLeaf(section, context);
  const filled = { ...section, sections: section.sections.map((leaf) => presentLeaf(leaf, context)) };
  if (!("backgroundSection" in filled)) return filled;
  const behind = filled.backgroundSection;
  return { ...filled, backgroundSection: behind && presentLeaf(behind, context) };
}

/** `presenters` is typed by kind; the lookup by name is not. */
const byKind: { [K in Kind]?: (block: never, context: PageContext) => unknown } = presenters;

function presentLeaf(leaf: Section | Leaf, context: PageContext): LeafView {
  const presentKind = byKind[leaf.__typename];
  return (presentKind ? presentKind(leaf as never, context) : leaf) as LeafView;
}
