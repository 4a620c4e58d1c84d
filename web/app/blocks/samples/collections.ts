import type { Section } from "../types";
import { picture } from "./parts";

/** Collections: tabs, slides, cards and pictures. */

const tab = {
  id: "sleep",
  label: "Sleep",
  icon: "moon",
  title: "Fall asleep without trying",
  details: ["Stories of twenty minutes", "Breathing for the small hours", "No streaks, no reminders after nine"],
  image: picture("lotus", "tab-sleep"),
};

const focusTab = {
  ...tab,
  id: "focus",
  label: "Focus",
  icon: "focus",
  title: "Begin the hard thing",
  details: ["Ten minutes before you open the mail", "Sound that does not ask for attention", "A pause that ends"],
  image: picture("cover", "tab-focus"),
};

const tabSamples: Section[] = [
  { __typename: "Tabs", id: "tabs", heading: "What helps, and when", tabs: [tab, focusTab] },
  { __typename: "Tabs", id: "tabs-single", heading: null, tabs: [tab] },
  {
    __typename: "Tabs",
    id: "tabs-many",
    heading: null,
    tabs: ["In the morning", "On the way to work", "Before a meeting", "After lunch", "In the evening", "At night"].map(
      (label, index) => ({
        id: `hour-${index}`,
        label,
        icon: null,
        title: label,
        details: ["Three minutes are enough", "You can keep your eyes open"],
        image: null,
      }),
    ),
  },
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
    __typename: "CarouselTabs",
    id: "carousel-tabs-words",
    heading: null,
    autoplayMs: null,
    tabs: [
      {
        id: "alone",
        label: "Alone",
        title: "For yourself",
        text: "Ten minutes, a chair, and a voice that knows when to be quiet. Most people begin like this, and most stay.",
        image: null,
      },
      { id: "together", label: "Together", title: "With somebody", text: null, image: null },
    ],
  },
];

const slide = (title: string) => ({
  picture: picture("waves", title, title),
  title,
  text: "A soundscape of thirty minutes.",
  url: title === "Lake" ? "/programs" : null,
});

const slideSamples: Section[] = [
  {
    __typename: "Carousel",
    id: "carousel",
    heading: "Places to return to",
    autoplayMs: 5_000,
    slides: ["Lake", "Forest", "Harbour"].map(slide),
  },
  {
    __typename: "Carousel",
    id: "carousel-pictures",
    heading: null,
    autoplayMs: 8_000,
    slides: ["Dune", "Delta"].map((name) => ({
      picture: picture("waves", name, `The ${name.toLowerCase()} in the evening`),
      title: null,
      text: null,
      url: null,
    })),
  },
  {
    __typename: "Carousel",
    id: "carousel-single",
    heading: null,
    autoplayMs: null,
    slides: [
      {
        ...slide("Lake"),
        title: "A place nobody has to be reached at, with room for all the words an editor may need",
        text: "The longest slide there will ever be: two sentences, so that one sees what they do to the picture behind. This is the second of them.",
      },
    ],
  },
];

const cardSamples: Section[] = [
  {
    __typename: "FeatureCards",
    id: "features",
    heading: "Three ways to begin",
    description: "None of them needs the others.",
    items: [
      {
        icon: "meditation",
        heading: "Meditation",
        text: "Ten minutes, guided by people who have sat with this themselves.",
        url: "/programs",
        image: null,
      },
      {
        icon: "unheard-of",
        heading: "Coaching",
        text: "Somebody who writes back by name, every week.",
        url: null,
        image: null,
      },
      {
        icon: "heart",
        heading: "Therapy",
        text: "A licensed therapist, when that is what you need.",
        url: "https://therapy.stillpoint.example/",
        image: null,
      },
    ],
  },
  {
    __typename: "FeatureCards",
    id: "features-pictures",
    heading: null,
    description: null,
    items: ["Evenings", "Mornings"].map((heading) => ({
      icon: "moon",
      heading,
      text: "Ten minutes, always at the same hour.",
      url: heading === "Evenings" ? "/programs/sleep" : null,
      image: picture("cover", heading),
    })),
  },
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
    __typename: "ProgramSamples",
    id: "program-samples-plain",
    heading: null,
    samples: ["Kinder to yourself", "Letting the day go without arguing with it", "One breath"].map((title) => ({
      title,
      text: null,
      image: picture("lotus", title),
      url: "/programs",
      durationMinutes: null,
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
        title: "Before the meeting that you have been putting off for a week",
        url: "https://www.stillpoint.example/app/meeting/",
        duration: "3 min",
        contentTag: "Work",
        kind: "meditation",
        image: picture("cover", "meeting"),
      },
    ],
  },
  {
    __typename: "BlogCards",
    id: "blog",
    heading: "From our journal",
    posts: [
      {
        image: picture("cover", "journal-sleep"),
        heading: "How to fall asleep without trying",
        content: "Trying is what keeps you awake. What to do instead, in the order in which it works.",
        authorName: "Ada Lindqvist",
        date: "2026-03-09",
        url: "/articles/how-to-fall-asleep",
      },
      {
        image: null,
        heading: "What a coach does, and what a coach does not",
        content: "Questions, mostly.",
        authorName: null,
        date: "2026-02-02",
        url: "/articles/what-a-coach-does",
      },
      {
        image: picture("orb", "journal-panic"),
        heading: "Breathing for panic",
        content: "Longer out than in. Everything else is detail.",
        authorName: null,
        date: null,
        url: "/articles/breathing-for-panic",
      },
    ],
  },
  {
    __typename: "JobAd",
    id: "jobs",
    heading: "Work with us",
    jobs: [
      { jobName: "Sound designer", tag: "Berlin or from home", buttonLabel: "Read more", link: "/careers" },
      {
        jobName: "Licensed therapist, Turkish and English, part time or full time",
        tag: null,
        buttonLabel: "Apply",
        link: "https://jobs.stillpoint.example/therapist/",
      },
    ],
  },
];

const pictures = ["dawn", "noon", "dusk", "night"].map((name) => ({
  picture: picture("waves", name, `The hour of ${name}`),
  caption: name,
  url: name === "dawn" ? "/about" : null,
}));

const boxes = [
  { icon: "breath", title: "Breathe", text: "Four in, two held, six out.", backgroundColor: "#6953bb" },
  { icon: "sun", title: "Notice", text: "One thing you can hear, one you can feel.", backgroundColor: "#f2c76e" },
];

const pictureSamples: Section[] = [
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
    __typename: "ExplanationBoxes",
    id: "boxes-plain",
    heading: null,
    backgroundOpacity: false,
    boxes: [
      { icon: null, title: "Without a colour", text: "It stands on the colour of mist.", backgroundColor: null },
      { icon: "shield", title: "A colour of the house", text: "By its name.", backgroundColor: "night" },
      { icon: null, title: "A grey nothing can be read on", text: "So it is not shown.", backgroundColor: "#7d7a8c" },
    ],
  },
];

export const collectionSamples: Section[] = [...tabSamples, ...slideSamples, ...cardSamples, ...pictureSamples];
