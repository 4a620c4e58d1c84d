import type { Data, Section } from "../types";
import { picture } from "./parts";

/** Blocks with quotes of people. */

type Comment = Data<"CommentBox">["comments"][number];

const comment: Comment = {
  starCount: 5,
  starColor: null,
  title: "Gentle",
  name: "Elif Kaya",
  place: "Izmir",
  comment: "It does not nag. I come back because I want to.",
};

const comments: Comment[] = [
  comment,
  {
    ...comment,
    starCount: 4,
    starColor: "#6953bb",
    title: null,
    name: "Jonas Weber",
    place: null,
    comment: "I would like more evening stories. Otherwise lovely, and the voices are good company.",
  },
  {
    ...comment,
    starCount: 3,
    title: "Erst nach der zweiten Woche verstanden",
    name: "Annegret von Hohenstein-Falkenberg",
    place: "Garmisch-Partenkirchen",
    comment:
      "Am Anfang war mir das zu still. Dann habe ich gemerkt, dass gerade das der Punkt ist, und jetzt fehlt mir etwas, wenn ich einen Abend auslasse.",
  },
];

type Expert = Data<"Experts">["experts"][number];

const expert: Expert = {
  name: "Dr. Leyla Demir",
  title: "Licensed therapist",
  educationAndTraining: "Clinical psychology, Ankara\nSchema therapy, certified",
  aboutMe: "I work slowly and plainly. Most people know more about themselves than they think.",
  focusAreaList: ["Anxiety", "Grief", "Change at work"],
  picture: null,
};

type Testimonial = Data<"Testimonials">["testimonials"][number];

const testimonial: Testimonial = {
  id: "maya",
  quote: "I stopped checking the clock at night. It took three weeks, and nobody told me to try harder.",
  videoUrl: null,
  image: null,
  companyLogo: null,
  personName: "Maya Okafor",
  personTitle: "Nurse, on nights",
  personImage: null,
};

export const peopleSamples: Section[] = [
  { __typename: "CommentBox", id: "comments", heading: "From the app stores", comments },
  { __typename: "CommentBox", id: "comments-one", heading: null, comments: [comment] },
  {
    __typename: "Experts",
    id: "experts",
    heading: "Who you talk to",
    description: "Licensed where they practise, and supervised.",
    experts: [
      expert,
      { ...expert, name: "Dr. Paulo Teixeira", focusAreaList: ["Sleep"], aboutMe: null },
      {
        ...expert,
        name: "Ada Lindqvist",
        title: "Coach",
        educationAndTraining: null,
        picture: picture("avatar", "ada-lindqvist", "Portrait of Ada Lindqvist"),
      },
    ],
  },
  {
    __typename: "Experts",
    id: "experts-one",
    heading: null,
    description: null,
    experts: [{ ...expert, name: "Kenji Mori", title: null, educationAndTraining: null, focusAreaList: [] }],
  },
  {
    __typename: "Testimonials",
    id: "words",
    heading: "What members tell us",
    testimonials: [
      testimonial,
      {
        ...testimonial,
        id: "tom",
        quote: "Our team meets on Mondays without a word for five minutes. It is the best meeting of the week.",
        videoUrl: "https://media.stillpoint.example/tom.mp4",
        personName: "Tom Berg",
        personTitle: "Head of people, Nordlicht",
        personImage: picture("avatar", "tom-berg"),
        companyLogo: { url: "/partners/turkcell.svg", alt: "Turkcell", width: 96, height: 24 },
      },
      {
        ...testimonial,
        id: "aiko",
        quote: "The pictures are as quiet as the voices.",
        image: picture("waves", "aiko", "The shore Aiko listens by"),
        personName: "Aiko Tanaka",
        personTitle: null,
      },
    ],
  },
  { __typename: "Testimonials", id: "words-one", heading: null, testimonials: [{ ...testimonial, id: "maya-alone" }] },
];
