import type { Section } from "../types";
import { button, picture } from "./parts";

export const accountSamples: Section[] = [
  {
    __typename: "AccountLink",
    id: "account-link",
    title: "Join your company's plan",
    description: "Your employer pays; what you listen to stays between you and us.",
  },
  {
    __typename: "SocialSignIn",
    id: "social-sign-in",
    heading: "Or go on with an account you have",
    noteHtml: '<p>We read your name and your address, nothing else. <a href="/privacy">What we keep</a></p>',
  },
  {
    __typename: "ForgotPassword",
    id: "forgot-password",
    title: "A new password",
    description: "Tell us your e-mail address. A link arrives within a minute.",
    goBackText: "Back to signing in",
  },
  {
    __typename: "EmailSignup",
    id: "email-signup",
    title: "One quiet letter a week",
    description: "A short reading on Sunday morning, and nothing in between.",
    noteHtml: '<p>Leave whenever you like. <a href="/privacy">How we treat addresses</a></p>',
  },
  {
    __typename: "AutoSignin",
    id: "auto-signin",
    title: "The app is not on this phone yet",
    body: "Install it, then open this link again: you will be signed in.",
    appStoreUrl: "https://apps.example.com/stillpoint",
    playStoreUrl: "https://play.example.com/stillpoint",
  },
  {
    __typename: "RegisterBusinessUser",
    id: "register-business-user",
    title: "Your company invites you",
    description: "Make an account with your work address and everything is open.",
  },
  {
    __typename: "UserProfileUpdate",
    id: "user-profile-update",
    title: "Almost yours",
    description: "Choose a name and a password to keep what you have bought.",
    specialOffer: {
      title: "A second year at half the price",
      text: "Only on this page, only today.",
      badge: "−50 %",
      button: { ...button, text: "Add the second year" },
    },
  },
  {
    __typename: "AlmostDonePage",
    id: "almost-done",
    title: "Almost done",
    bodyHtml: "<p>Your payment arrived. One step is left: make your account.</p>",
    action: { ...button, text: "Make my account" },
    artwork: { mobile: picture("orb", "almost-done"), desktop: picture("waves", "almost-done") },
  },
];
