import type { Data, Section } from "../types";
import { button, picture, secondButton } from "./parts";

const heading: Data<"Heading"> = {
  __typename: "Heading",
  id: "heading",
  text: "A quiet heading",
  tag: "h2",
  sub: "and a line that says what follows",
  level: null,
  direction: null,
  gradient: null,
  color: null,
  font: null,
};

const article = `
<h2>What happens in ten minutes</h2>
<p>You sit down. A voice asks you to notice <strong>one breath</strong>, then the next. Your mind wanders, as minds do, and you come back.
That is the whole exercise; <a href="/en/articles/ten-minute-meditation/">here it is step by step</a>.</p>
<h3>What you need</h3>
<ul><li>A chair, a cushion or the edge of the bed</li><li>Ten minutes in which nobody needs you</li></ul>
<ol><li>Set the bell.</li><li>Let the shoulders fall.</li><li>Count ten breaths, and begin again at one.</li></ol>
<blockquote><p>Beginning again is not the failure of the exercise. It is the exercise.</p></blockquote>
<table><thead><tr><th>Week</th><th>Minutes</th><th>What changes</th></tr></thead>
<tbody><tr><td>1</td><td>5</td><td>You remember to do it</td></tr><tr><td>4</td><td>10</td><td>You notice sooner when you are tense</td></tr></tbody></table>`;

const rules = `
<p>These rules say how the New Year draw works. They were last changed on 1 December.</p>
<h2>Who may take part</h2>
<p>Everybody of 18 years or older who has an account and lives in one of the countries below.</p>
<ul><li>Türkiye</li><li>Germany, Austria and Switzerland</li><li>Japan</li></ul>
<h2>What can be won</h2>
<p>Twelve annual plans. They cannot be exchanged for money.</p>`;

export const headingSamples: Section[] = [
  heading,
  {
    ...heading,
    id: "heading-gradient",
    text: "Letters from dusk to night",
    sub: null,
    level: 1,
    gradient: "#2f2a63, #6953bb",
  },
  {
    ...heading,
    id: "heading-set",
    text: "Set by hand: colour, face, size and weight",
    tag: "h3",
    sub: "Where a colour cannot be read, in the dark for one, the ink stays.",
    color: "#22533b",
    font: { family: "body", size: 40, weight: 800, lineHeight: 120 },
  },
  {
    ...heading,
    id: "heading-rtl",
    text: "عنوان يُقرأ من اليمين",
    tag: "h4",
    sub: "مهما كانت لغة الصفحة",
    direction: "rtl",
  },
  {
    ...heading,
    id: "heading-small",
    text: "A paragraph that looks like the smallest of headings",
    tag: "p",
    level: 6,
    sub: null,
    color: "muted",
  },
];

const row: Data<"ButtonRow"> = { __typename: "ButtonRow", id: "buttons", align: "start", buttons: [] };

export const buttonSamples: Section[] = [
  {
    ...row,
    buttons: [
      { ...button, text: "Start your free week" },
      { ...secondButton, text: "See the plans", url: "/pricing" },
      { ...button, text: "Compare them", url: "/pricing", primary: false },
      { ...button, text: "Read how it works", url: "/about", link: true },
    ],
  },
  {
    ...row,
    id: "buttons-small",
    align: "center",
    buttons: [
      { ...button, text: "Listen now", small: true, info: "No account needed" },
      {
        ...secondButton,
        text: "On the app store",
        url: "https://www.stillpoint.example/app/",
        small: true,
        noFollow: true,
      },
      { ...button, text: "Open the app", deepLink: "stillpoint://today", small: true, primary: false },
    ],
  },
  {
    ...row,
    id: "buttons-coloured",
    align: "center",
    buttons: [
      { ...button, text: "Give a calm year", color: "#ffffff", backgroundColor: "#22533b", width: "280px" },
      { ...secondButton, text: "Choose a card", color: "#084e41", borderColor: "#084e41", backgroundColor: "#d6ebe5" },
      { ...button, text: "Letters nobody could read", color: "#f2c76e", backgroundColor: "#fff3d6" },
    ],
  },
  {
    ...row,
    id: "buttons-disabled",
    buttons: [
      {
        ...button,
        text: "Book the workshop",
        disabled: true,
        info: "Full until March. The next dates come in February.",
      },
      { ...secondButton, text: "Join the waiting list", disabled: true },
    ],
  },
  {
    ...row,
    id: "buttons-wide",
    buttons: [
      {
        ...button,
        text: "Weiter zur Bestätigung der Jahresmitgliedschaft mit sieben kostenlosen Probetagen",
        width: "full",
        info: "Danach 91,99 € im Jahr. Jederzeit kündbar.",
        eventName: "plan_click",
        eventSection: "end",
      },
    ],
  },
];

export const textSamples: Section[] = [
  { __typename: "MarkdownText", id: "text", html: article },
  { __typename: "RulesPage", id: "rules", heading: "Rules of the New Year draw", contentHtml: rules },
  {
    __typename: "RulesPage",
    id: "rules-untitled",
    heading: null,
    contentHtml: "<p>There is no draw at the moment.</p>",
  },
  {
    __typename: "Accordion",
    faq: true,
    id: "faq",
    heading: "Good questions",
    items: [
      { question: "Is it hard?", answerHtml: "<p>No. You sit, you listen, you come back. Everybody wanders off.</p>" },
      {
        question: "What happens after the seven free days?",
        answerHtml:
          "<p>We write to you <strong>two days before</strong> they end. Then your plan begins, unless you have cancelled:</p><ol><li>Open your profile.</li><li>Choose “Cancel”.</li></ol>",
      },
      {
        question:
          "Kann ich die Mitgliedschaft auch während der kostenlosen Probezeit kündigen, ohne dass mir dadurch irgendwelche Kosten entstehen?",
        answerHtml: "<p>Ja, jederzeit. Der Zugang bleibt bis zum Ende der Probezeit offen.</p>",
      },
    ],
  },
  {
    __typename: "Accordion",
    faq: false,
    id: "faq-untitled",
    heading: null,
    items: [{ question: "What should I bring?", answerHtml: "<p>Nothing. Headphones, if you like them.</p>" }],
  },
];

export const smallSamples: Section[] = [
  { __typename: "Tag", id: "tag", text: "New this week", color: null, backgroundColor: null },
  { __typename: "Tag", id: "tag-coloured", text: "Sleep", color: "#ffffff", backgroundColor: "#084e41" },
  { __typename: "Tag", id: "tag-unreadable", text: "For everybody", color: "#f2c76e", backgroundColor: "#fff3d6" },
  { __typename: "ProgressBar", id: "progress", label: "Your programme", value: 40 },
  { __typename: "ProgressBar", id: "progress-begun", label: "Just begun", value: 0 },
  { __typename: "ProgressBar", id: "progress-done", label: "Fourteen evenings, all of them listened to", value: 100 },
  { __typename: "HorizontalRule", id: "rule", componentName: "HorizontalRule" },
];

export const pictureSamples: Section[] = [
  {
    __typename: "Picture",
    id: "picture-text",
    picture: picture("cover", "quiet-hills", "Hills under a low sun"),
    mobileImage: picture("orb", "quiet-hills", "Hills under a low sun"),
    caption: "As wide as the text, with a picture of its own for phones",
    width: "text",
    href: null,
  },
  {
    __typename: "Picture",
    id: "picture-wide",
    picture: picture("waves", "wide-water", "Water in the evening"),
    mobileImage: null,
    caption: null,
    width: "wide",
    href: "/about",
  },
  {
    __typename: "Picture",
    id: "picture-full",
    picture: picture("waves", "far-shore", "A far shore before sunrise"),
    mobileImage: null,
    caption: "From edge to edge",
    width: "full",
    href: null,
  },
];
