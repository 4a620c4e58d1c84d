import type { ButtonPartFragment, ImagePartFragment, OfferPartFragment } from "~/gen/graphql";
import { type ArtKind, artFor } from "~/ui/art/address";

export const button: ButtonPartFragment = {
  text: "Begin",
  url: "/payment/annual",
  color: null,
  borderColor: null,
  backgroundColor: null,
  external: false,
  noFollow: false,
  disabled: false,
  link: false,
  primary: true,
  secondary: false,
  small: false,
  width: null,
  deepLink: null,
  info: null,
  eventName: null,
  eventSection: null,
};

export const secondButton: ButtonPartFragment = {
  ...button,
  text: "Read more",
  url: "/about",
  primary: false,
  secondary: true,
};

export const offer: OfferPartFragment = {
  currency: "USD",
  price: 69.99,
  defaultPrice: 155.88,
  discountRate: 55,
  trialDays: 7,
  periodMonths: 12,
  minorPrice: 6999,
  exponent: 2,
};

export function picture(kind: ArtKind, name: string, alt = ""): ImagePartFragment {
  return { ...artFor(kind, name), alt };
}
