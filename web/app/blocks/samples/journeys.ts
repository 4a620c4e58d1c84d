import type { Section } from "../types";
import { button, picture } from "./parts";

/** Pages of journeys: the survey, its result, and success pages. */

const categories = [
  { id: 101, label: "Stress and worry", icon: "breath" },
  { id: 102, label: "Sleep", icon: "moon" },
  { id: 103, label: "Focus", icon: "focus" },
  { id: 104, label: "Getting on with the people I live with", icon: "heart" },
  { id: 105, label: "A calmer morning", icon: "sun" },
  { id: 106, label: "Something else", icon: null },
];

const terms = { flow: 0, variant: 15, productType: null, surveyNext: "/creating-program", abGroup: null };

const surveySamples: Section[] = [
  {
    __typename: "SurveyCategorySelection",
    id: "survey-categories",
    title: "What would help most just now?",
    description: "Choose up to three.",
    categories,
    continueLabel: "Go on",
    ...terms,
  },
  { __typename: "SurveyButton", id: "survey-button", text: "Answer five questions", ...terms },
  {
    __typename: "SurveyContinueBox",
    id: "survey-continue",
    title: "You had begun to tell us about yourself",
    body: "Your answers are still here. Two questions are left.",
    buttonText: "Go on",
  },
  {
    __typename: "SurveyContinueBox",
    id: "survey-continue-plain",
    title: "Find out what suits you",
    body: null,
    buttonText: "Begin the questions",
  },
  {
    __typename: "SurveyQuestions",
    id: "survey-questions",
    title: "Find the programme that fits",
    description: "Seven questions, then one suggestion.",
    startPage: "/survey/start",
    beginLabel: "Begin",
    ...terms,
    questions: [
      {
        id: "nights",
        title: "How do you fall asleep?",
        hint: "As it was last week.",
        maxChosen: 1,
        options: [
          { id: "easily", label: "Easily", icon: "moon" },
          { id: "slowly", label: "After a long while", icon: null },
        ],
        flows: [],
        variants: [],
        categories: [102],
        abGroups: [],
      },
      {
        id: "when",
        title: "When is there room for it?",
        hint: null,
        maxChosen: 2,
        options: [
          { id: "morning", label: "In the morning", icon: null },
          { id: "noon", label: "At noon", icon: null },
          { id: "evening", label: "In the evening", icon: null },
        ],
        flows: [],
        variants: [],
        categories: [],
        abGroups: [],
      },
      {
        id: "voice",
        title: "How much voice do you like?",
        hint: null,
        maxChosen: 1,
        options: [
          { id: "much", label: "I like to be led", icon: null },
          { id: "little", label: "A bell is enough", icon: null },
        ],
        flows: [],
        variants: [],
        categories: [],
        abGroups: [],
      },
    ],
  },
  {
    __typename: "ProgramLoader",
    id: "loader",
    title: "Making your programme",
    messages: ["Reading your answers", "Choosing the sessions", "Setting the pace", "Nearly there"],
    redirectionUrl: "/your-program",
  },
];

const programmeSamples: Section[] = [
  {
    __typename: "SuggestedProgramPage",
    id: "suggested",
    title: "Fourteen evenings towards sleep",
    description: "Made of what you told us: short, lying down, and without anything to keep up with.",
    image: picture("lotus", "fourteen-evenings"),
    action: { ...button, text: "Begin the first evening" },
    meditations: [
      { title: "Arriving in bed", meditationUrl: "/programs/sleep", meditationDuration: 8, isPremium: false },
      {
        title: "The long breath out",
        meditationUrl: "/programs/steadier-mind",
        meditationDuration: 12,
        isPremium: true,
      },
      {
        title: "When you wake at three and the day before will not let you go",
        meditationUrl: "/programs/focus",
        meditationDuration: 20,
        isPremium: true,
      },
    ],
    suggestions: [
      {
        id: "focus",
        title: "Ten mornings of one thing at a time",
        description: null,
        image: null,
        action: null,
        meditations: [
          { title: "Choosing one thing", meditationUrl: "/programs/focus", meditationDuration: 10, isPremium: true },
        ],
        matches: [
          { question: "categories", option: "103", reason: "Your attention wanders." },
          { question: "when", option: "morning", reason: null },
        ],
      },
    ],
  },
  {
    __typename: "SuggestedProgramPage",
    id: "suggested-plain",
    title: "Three to begin with",
    description: null,
    image: null,
    action: null,
    meditations: [
      { title: "One minute", meditationUrl: "/programs", meditationDuration: 1, isPremium: false },
      { title: "A walk without a destination", meditationUrl: "/about", meditationDuration: 15, isPremium: false },
    ],
    suggestions: [],
  },
  {
    __typename: "DynamicProgramContent",
    id: "programme-content",
    title: "What is in your programme",
    description: "Each part stands alone. You can leave some out.",
    programItems: [
      { title: "Sit down", text: "A chair is enough.", durationMinutes: 3, image: picture("orb", "sit-down") },
      { title: "Count to four", text: "In, and out again.", durationMinutes: 5, image: picture("orb", "count") },
      { title: "Lose count", text: "You will. That is the practice.", durationMinutes: null, image: null },
      { title: "Begin again", text: null, durationMinutes: 5, image: null },
    ],
    ownPrograms: [
      {
        id: "focus",
        title: "Your ten mornings",
        description: null,
        programItems: [{ title: "Choose", text: "One thing.", durationMinutes: 10, image: null }],
      },
    ],
  },
];

const successSamples: Section[] = [
  {
    __typename: "SuccessPage",
    id: "success",
    title: "Welcome to Stillpoint",
    description: "Your seven free days have begun. The receipt is on its way to your e-mail address.",
    steps: [
      {
        text: "Get the app on your phone.",
        actionLink: { text: "Open", url: "https://www.example.com/app/", deepLink: "stillpoint://today" },
      },
      { text: "Sign in with the address you paid with.", actionLink: null },
      { text: "Listen to the first ten minutes tonight.", actionLink: null },
    ],
    image: null,
    qrCode: {
      image: null,
      url: "https://www.example.com/app/",
      instructions: [
        { icon: "camera", text: "Open your phone's camera." },
        { icon: "code", text: "Point it at this code." },
        { icon: "check", text: "Follow the link that appears." },
      ],
    },
  },
  {
    __typename: "SuccessPage",
    id: "success-picture",
    title: "Your gift is on its way",
    description: null,
    steps: [{ text: "We have sent the card.", actionLink: null }],
    image: { mobile: picture("orb", "gift-sent"), desktop: picture("lotus", "gift-sent") },
    qrCode: null,
  },
  {
    __typename: "SuccessPage",
    id: "success-plain",
    title: "All done",
    description: "Nothing more to do here.",
    steps: [
      {
        text: "Go on to what you have bought.",
        actionLink: { text: "See the programmes", url: "/programs", deepLink: null },
      },
    ],
    image: null,
    qrCode: null,
  },
  {
    __typename: "AppDownloadBox",
    id: "download",
    title: "Your place is kept",
    body: "Tick both boxes and go on to the app.",
    countdownSecs: 600,
    termsLabelHtml: '<p>I accept the <a href="https://www.stillpoint.example/en/terms-and-conditions/">terms</a>.</p>',
    consentLabelHtml: "<p>I agree that my data is used to give me the service.</p>",
    button: { ...button, text: "Go to the app", url: "https://www.stillpoint.example/app/" },
  },
  {
    __typename: "Qr",
    id: "qr",
    heading: "Take it with you",
    body: "Scan the code with your phone's camera.",
    url: "https://www.stillpoint.example/app/",
    image: null,
    deepLink: "stillpoint://today",
    openLabel: "Open the app",
  },
  {
    __typename: "Qr",
    id: "qr-plain",
    heading: null,
    body: "The same session, on the other screen.",
    url: "https://www.stillpoint.example/app/sessions/first-ten-minutes/?from=the-page-about-beginning",
    image: null,
    deepLink: null,
    openLabel: null,
  },
];

export const journeySamples: Section[] = [...surveySamples, ...programmeSamples, ...successSamples];
