import type { ComponentType } from "react";
import type { Kind, View } from "./types";

export interface BlockProps<K extends Kind> {
  block: View<K>;
}

type Loader<K extends Kind> = () => Promise<{ default: ComponentType<BlockProps<K>> }>;

/** Every kind of block there is, each in its own chunk. A kind of the schema that is missing here does not compile. */
export const registry = {
  Accordion: () => import("./accordion/accordion"),
  FeatureCards: () => import("./feature-cards/feature-cards"),
  Heading: () => import("./heading/heading"),
  Hero: () => import("./hero/hero"),
  LoginRegister: () => import("./login-register/login-register"),
  MarkdownText: () => import("./markdown-text/markdown-text"),
  PaymentForm: () => import("./payment-form/payment-form"),
  PlanList: () => import("./plan-list/plan-list"),
  SuccessPage: () => import("./success-page/success-page"),
  Testimonials: () => import("./testimonials/testimonials"),
} satisfies { [K in Kind]: Loader<K> };
