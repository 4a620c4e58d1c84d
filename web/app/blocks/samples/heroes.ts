import type { PriceBadgePartFragment } from "~/gen/graphql";
import type { Leaf, Section } from "../types";
import { button, picture, secondButton } from "./parts";

export const badge: PriceBadgePartFragment = {
  period: "OTHER",
  discountText: "41 % less than month by month",
  discountAmount: "$91.99",
  actualPrice: "$155.88",
  actualPriceColor: "#b3261e",
  iconName: "heart",
  iconColor: null,
  backgroundColor: null,
  gradient: null,
  url: null,
  priceTextOverride: null,
};

const words: Leaf = {
  __typename: "MarkdownText",
  id: "landing-words",
  html: "<h1>Sleep comes more easily to a quiet mind</h1><p>Fourteen evenings, ten minutes each. You lie down, we do the talking.</p>",
};

const backdrop: Leaf = {
  __typename: "Picture",
  id: "landing-backdrop",
  picture: picture("waves", "backdrop"),
  mobileImage: null,
  caption: null,
  width: "full",
  href: null,
};

export const heroSamples: Section[] = [
  {
    __typename: "Hero",
    id: "hero",
    eyebrow: "Meditation",
    title: "Find the still point of your day",
    description: "Ten quiet minutes, a coach who knows your name, and a therapist when you need one.",
    buttons: [button, secondButton],
    proofLine: "Guided by licensed therapists and certified coaches",
    priceNote: "Seven days free",
    artSeed: "dusk",
    layout: "twoColumn",
    fadeInUp: false,
    sections: [],
    backgroundSection: null,
  },
  {
    __typename: "Hero",
    id: "hero-centred",
    eyebrow: null,
    title: "A centred opening with blocks inside",
    description: "A picture stands behind, another block rises from below.",
    buttons: [button],
    proofLine: null,
    priceNote: null,
    artSeed: null,
    layout: "centered",
    fadeInUp: true,
    sections: [
      {
        __typename: "PriceBadge",
        id: "hero-badge",
        badge,
      },
    ],
    backgroundSection: { ...backdrop, id: "hero-backdrop" },
  },
  {
    __typename: "TrainerHero",
    id: "trainers",
    title: "People who have sat with this themselves",
    description: "Coaches and therapists who write back by name.",
    buttons: [button],
    trainers: [
      { name: "Ada Lindqvist", title: "Sleep and rest", picture: picture("avatar", "ada-lindqvist") },
      { name: "Mateo Rivas", title: "Habits", picture: picture("avatar", "mateo-rivas") },
      { name: "Sena Aksoy", title: "Stress at work", picture: picture("avatar", "sena-aksoy") },
      { name: "Kenji Mori", title: "Focus", picture: picture("avatar", "kenji-mori") },
    ],
  },
  {
    __typename: "TabHero",
    id: "tab-hero",
    heading: null,
    tabs: [
      {
        id: "sleep",
        label: "Sleep",
        title: "Evenings that end",
        description: "Stories and slow breathing for the last half hour of the day.",
        backgroundImage: picture("waves", "evening"),
        button,
      },
      {
        id: "focus",
        label: "Focus",
        title: "One thing at a time",
        description: "Ten minutes before the work that matters.",
        backgroundImage: picture("waves", "morning"),
        button: secondButton,
      },
    ],
  },
  {
    __typename: "LandingHero",
    id: "landing",
    reverse: false,
    sections: [words, { __typename: "PriceBadge", id: "landing-badge", badge }],
    backgroundSection: backdrop,
  },
  {
    __typename: "LandingHero",
    id: "landing-reversed",
    reverse: true,
    sections: [
      { ...words, id: "landing-reversed-words" },
      {
        ...backdrop,
        id: "landing-reversed-picture",
        width: "wide",
        picture: picture("lotus", "landing", "A lotus over dark water"),
      },
    ],
    backgroundSection: null,
  },
  {
    __typename: "SurveyLandingHero",
    id: "survey-landing",
    whatsNew: {
      text: "New: evenings without a screen",
      url: "/articles/digital-sunset",
      external: false,
      noFollow: false,
    },
    priceBadge: badge,
    campaignBanner: { text: "This week: the annual plan with seven free days", url: "/payment/annual" },
    markdownHtml:
      "<h1>A programme made for the week you are having</h1><p>Answer five questions. It takes two minutes.</p>",
    revolvingTexts: ["for better nights", "for a clearer head", "for the hard conversation"],
    iconMarkdown: {
      icon: "shield",
      markdownHtml: "<p><strong>Yours alone.</strong> We never sell what you tell us.</p>",
    },
    button,
    image: picture("lotus", "survey"),
  },
  {
    __typename: "SuccessHero",
    id: "success-hero",
    sections: [
      {
        __typename: "Heading",
        id: "success-hero-heading",
        text: "You are in",
        tag: "h1",
        sub: "Everything is open from this moment.",
        level: 1,
        direction: null,
        gradient: null,
        color: null,
        font: null,
      } as Leaf,
    ],
  },
  {
    __typename: "JapaneseHero",
    id: "monsters",
    tabs: [
      {
        id: "calm",
        label: "Calm",
        title: "Meet your quiet side",
        description: "Small creatures for large feelings.",
        image: picture("orb", "monster-calm"),
      },
      {
        id: "brave",
        label: "Brave",
        title: "And your brave one",
        description: null,
        image: picture("orb", "monster-brave"),
      },
    ],
    downloadButton: { ...button, text: "Get the app" },
    film: "https://media.stillpoint.example/monsters.mp4",
    videoTitle: "A minute with the monsters",
    videoLabel: "Watch the film",
    scrollButtonText: "See all of them",
    scrollTargetId: "pictures",
  },
  {
    __typename: "NewYearHero",
    id: "new-year",
    title: "A year with room to breathe",
    description: "Begin on any day. January has no monopoly on new starts.",
    image: null,
    button,
    priceBadge: badge,
    note: "Renews once a year. You can stop at any time.",
  },
  {
    __typename: "PromoVideo",
    id: "promo",
    title: "Ten minutes above the city",
    description: "Shown on the pages of one campaign only.",
    videoUrl: "https://media.stillpoint.example/panorama.mp4",
    videoThumbnail: null,
  },
];
