import type { Data, Section } from "../types";
import { button, picture, secondButton } from "./parts";

/** Blocks with links. */

const banner: Data<"CallToActionBanner"> = {
  __typename: "CallToActionBanner",
  id: "banner",
  title: "Ten minutes from now you could feel different",
  body: "The first programme is open. You need no account to begin.",
  button: { ...button, text: "Start listening" },
  background: null,
  secondButton: { ...secondButton, text: "See the plans", url: "/pricing" },
};

const articles = [
  {
    title: "How to fall asleep when the day will not end",
    text: "What helps, what does not, and what to do at four in the morning.",
    image: picture("cover", "fall-asleep", "A lamp beside a bed"),
    url: "/articles/how-to-fall-asleep",
    linkText: "Read about sleep",
  },
  {
    title: "A ten-minute meditation, step by step",
    text: null,
    image: picture("lotus", "ten-minutes", "A lotus over dark water"),
    url: "/articles/ten-minute-meditation",
    linkText: null,
  },
  {
    title: "Was im Körper geschieht, wenn wir eine Viertelstunde lang überhaupt nichts tun",
    text: "Ein langer Titel und ein Text, der auch auf schmalen Bildschirmen Platz finden muss.",
    image: null,
    url: "/articles/doing-nothing",
    linkText: null,
  },
];

const scope: Data<"ProgramScopeCard"> = {
  __typename: "ProgramScopeCard",
  id: "scope",
  title: "What is inside",
  description: "Fourteen evenings, one step at a time.",
  scope: [
    { icon: "moon", text: "Fourteen guided practices of ten minutes" },
    { icon: "calendar", text: "A sleep diary that takes a minute a day" },
    { icon: null, text: "Every evening stays open to you afterwards" },
  ],
  image: picture("orb", "scope", "A blue orb with a moon"),
};

export const cardSamples: Section[] = [
  banner,
  {
    ...banner,
    id: "banner-light",
    title: "A calm year for somebody you like",
    body: null,
    background: "#f2c76e",
    button: { ...button, text: "Give it as a gift", url: "/gift" },
    secondButton: null,
  },
  {
    ...banner,
    id: "banner-grey",
    title: "A grey on which nothing could be read falls back to night",
    body: null,
    background: "#7d7a8c",
    secondButton: null,
  },
  {
    __typename: "ReadMoreArticles",
    id: "articles",
    heading: "Read on",
    description: "Short, and tried by us.",
    articles,
  },
  {
    __typename: "ReadMoreArticles",
    id: "articles-untitled",
    heading: null,
    description: null,
    articles: articles.slice(0, 2),
  },
  scope,
  { ...scope, id: "scope-plain", title: "And in your profile", description: null, image: null },
];
