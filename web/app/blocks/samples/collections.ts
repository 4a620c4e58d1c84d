import type { Section } from "../types";
import { badge } from "./heroes";
import { picture } from "./parts";

const expert = {
  name: "Dr. Leyla Demir",
  title: "Licensed therapist",
  educationAndTraining: "Clinical psychology, Ankara\nSchema therapy, certified",
  aboutMe: "I work slowly and plainly. Most people know more about themselves than they think.",
  focusAreaList: ["Anxiety", "Grief", "Change at work"],
  picture: null,
};

const tab = {
  id: "sleep",
  label: "Sleep",
  icon: "moon",
  title: "Fall asleep without trying",
  details: ["Stories of twenty minutes", "Breathing for the small hours", "No streaks, no reminders after nine"],
  image: picture("lotus", "tab-sleep"),
};

const pictures = ["dawn", "noon", "dusk", "night"].map((name) => ({
  picture: picture("waves", name, `The hour of ${name}`),
  caption: name,
  url: name === "dawn" ? "/about" : null,
}));

const boxes = [
  { icon: "breath", title: "Breathe", text: "Four in, two held, six out.", backgroundColor: "#6953bb" },
  { icon: "sun", title: "Notice", text: "One thing you can hear, one you can feel.", backgroundColor: "#f2c76e" },
];

export const collectionSamples: Section[] = [
  {
    __typename: "Tabs",
    id: "tabs",
    heading: "What helps, and when",
    tabs: [
      tab,
      {
        ...tab,
        id: "focus",
        label: "Focus",
        icon: "focus",
        title: "Begin the hard thing",
        image: picture("cover", "tab-focus"),
      },
    ],
  },
  { __typename: "Tabs", id: "tabs-single", heading: null, tabs: [tab] },
  {
    __typename: "CarouselTabs",
    id: "carousel-tabs",
    heading: "A day with Stillpoint",
    autoplayMs: 8_000,
    tabs: ["Morning", "Noon", "Night"].map((label) => ({
      id: label.toLowerCase(),
      label,
      title: `${label}, ten minutes`,
      text: "A short practice that fits between two things.",
      image: picture("waves", label),
    })),
  },
  {
    __typename: "Carousel",
    id: "carousel",
    heading: "Places to return to",
    autoplayMs: 5_000,
    slides: ["Lake", "Forest", "Harbour"].map((title) => ({
      picture: picture("waves", title, title),
      title,
      text: "A soundscape of thirty minutes.",
      url: title === "Lake" ? "/programs" : null,
    })),
  },
  {
    __typename: "ScrollParallax",
    id: "parallax",
    title: "Two pictures that drift apart",
    body: "Only as far as one hundred percent of themselves.",
    leftImage: picture("cover", "left"),
    rightImage: picture("cover", "right"),
    percentage: 30,
  },
  {
    __typename: "ScrollThrough",
    id: "scroll-through",
    heading: "Your first week",
    parts: ["Arrive", "Notice", "Return"].map((title, index) => ({
      id: title.toLowerCase(),
      title: `Day ${index * 2 + 1}: ${title}`,
      description: "Five minutes, one instruction, nothing to get right.",
      picture: picture("orb", title, title),
    })),
  },
  { __typename: "ImageCollection", id: "pictures", heading: "Four in a row", pictures },
  {
    __typename: "ImageCollection",
    id: "pictures-three",
    heading: "Three in two columns",
    pictures: pictures.slice(0, 3),
  },
  { __typename: "ExplanationBoxes", id: "boxes", heading: "In full colour", backgroundOpacity: false, boxes },
  { __typename: "ExplanationBoxes", id: "boxes-faint", heading: "Faint", backgroundOpacity: true, boxes },
  {
    __typename: "ProgramSamples",
    id: "program-samples",
    heading: "Programmes",
    samples: ["Sleep, gently", "A steadier mind", "Deep focus", "First ten minutes"].map((title, index) => ({
      title,
      text: "A few minutes a day.",
      image: null,
      url: index === 0 ? "/programs/sleep" : null,
      durationMinutes: 10 + index,
    })),
  },
  {
    __typename: "GuideCards",
    id: "guides",
    heading: "Press play",
    cards: [
      {
        title: "Rain on a tin roof",
        url: "https://www.stillpoint.example/app/rain/",
        duration: "30 min",
        contentTag: "Sleep",
        kind: "music",
        image: null,
      },
      {
        title: "Body scan",
        url: "https://www.stillpoint.example/app/scan/",
        duration: "12 min",
        contentTag: "Calm",
        kind: "meditation",
        image: null,
      },
      {
        title: "Before a meeting",
        url: "https://www.stillpoint.example/app/meeting/",
        duration: "3 min",
        contentTag: "Work",
        kind: "meditation",
        image: null,
      },
    ],
  },
  {
    __typename: "Experts",
    id: "experts",
    heading: "Who you talk to",
    description: "Licensed where they practise, and supervised.",
    experts: [
      expert,
      { ...expert, name: "Dr. Paulo Teixeira", focusAreaList: ["Sleep"], aboutMe: null },
      { ...expert, name: "Ada Lindqvist", title: "Coach", educationAndTraining: null },
    ],
  },
  { __typename: "PriceBadge", id: "badge", badge },
  {
    __typename: "PriceBadge",
    id: "badge-gradient",
    badge: { ...badge, gradient: "#2f2a63, #6953bb", iconName: "pacman", iconColor: "#f2c76e", actualPriceColor: null },
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
];
