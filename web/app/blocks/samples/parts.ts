import type { ButtonPartFragment, ImagePartFragment } from "~/gen/graphql";
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

export function picture(kind: ArtKind, name: string, alt = ""): ImagePartFragment {
  return { ...artFor(kind, name), alt };
}
