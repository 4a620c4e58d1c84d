import type { Section } from "../types";
import { button, picture } from "./parts";

const topics = [
  { id: "sleep", label: "Sleep", tooltipText: "Evenings, shift work, waking at four." },
  { id: "stress", label: "Stress", tooltipText: null },
  { id: "leaders", label: "For people who lead", tooltipText: "Talks for small groups." },
];

export const businessSamples: Section[] = [
  {
    __typename: "B2bBookADemo",
    id: "book-a-demo",
    formHeading: "See it in half an hour",
    sideColTitle: "A quieter company",
    sideItems: ["Seats that can change hands", "Numbers without names", "Set up within a day"],
    sideImage: picture("waves", "demo"),
    whatsYourInterest: topics,
    noteHtml: '<p>We answer within a working day. <a href="/privacy">What we keep</a></p>',
  },
  {
    __typename: "B2bCalculator",
    id: "seat-calculator",
    title: "What would it cost?",
    description: "For as many people as you have.",
    formHeading: "Ask for a price",
    noteHtml: "<p>Without sales tax.</p>",
    manySeatsNote: "Above a hundred seats we talk.",
    contact: { text: "Write to us", url: "/contact", external: false, noFollow: false },
  },
  {
    __typename: "B2bDashboard",
    id: "company",
    title: "Your company",
    description: "Who has a seat, and how many are free.",
    body: "Nobody has joined yet. Send the invitation once more.",
    action: { ...button, text: "Invite people" },
  },
  {
    __typename: "B2bFrom",
    id: "partners",
    formHeading: "Become a partner",
    noteHtml: "<p>We read every letter.</p>",
    sideTitle: "Give your members some quiet",
    sideText: "As a benefit of your card, your gym or your insurance.",
    sideItems: ["Your colours", "Your prices", "One invoice"],
  },
  {
    __typename: "GympassPage",
    id: "benefit",
    title: "Included in your membership",
    description: "What you can use depends on your plan.",
    benefitPlans: [
      { kind: "mindfulness", title: "Mindfulness", text: "Every meditation.", image: picture("lotus", "mindfulness") },
      { kind: "therapy", title: "Therapy", text: "Two talks a month.", image: null },
      { kind: "nutritionist", title: "Nutrition", text: null, image: null },
    ],
    registerTitle: "Open your access",
    registerText: "With the number of your membership.",
  },
];

export const coachingSamples: Section[] = [
  {
    __typename: "CoachingSignup",
    id: "coaching-signup",
    title: "A coach who knows your name",
    description: "Tell us what is on your mind; we find who fits.",
    noteHtml: "<p>In an emergency call your local number.</p>",
  },
  {
    __typename: "CoachingWelcome",
    id: "coaching-welcome",
    title: "Good to see you",
    description: "Everything about your coaching is here.",
    image: picture("cover", "coaching"),
    chatLabel: "Write to your coach",
    chatText: "An answer comes within a day.",
    programLabel: "Your programme",
    programText: "Three short practices a week.",
    programUrl: "/programs",
    bookLabel: "Book a talk",
    bookText: null,
    sessionsTitle: "Your sessions",
    emptyText: "Nothing is booked.",
    extraLabel: "One more talk",
    extraText: "When a month is too long.",
    windowNote: "Talks open ten minutes before they begin.",
  },
  {
    __typename: "CoachingChat",
    id: "coaching-chat",
    title: "You and your coach",
    replyTimeText: "Answers within a day",
    noteHtml: "<p>Only the two of you read this.</p>",
    unavailableText: "The talk opens in the app.",
    downloadLabel: "Get the app",
    downloadUrl: "https://www.example.com/app/",
  },
  {
    __typename: "ExtraSession",
    id: "extra-session",
    title: "One more talk this month?",
    body: "Fifty minutes, with the coach you know.",
  },
];
