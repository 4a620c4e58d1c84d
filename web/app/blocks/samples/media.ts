import type { Section } from "../types";
import { picture } from "./parts";

/** Videos and recordings, with all options and with none. */

const filmSamples: Section[] = [
  {
    __typename: "VideoPlayer",
    id: "video",
    heading: "How a session feels",
    description: "Two minutes, with captions.",
    videoUrl: "https://media.stillpoint.example/session.mp4",
    videoThumbnail: null,
    captionsUrl: "/audio/first-ten-minutes.vtt",
    transcriptHtml: "<p>Sit. Let the shoulders fall. There is nothing to do well.</p>",
  },
  {
    __typename: "VideoPlayer",
    id: "video-plain",
    heading: null,
    description: null,
    videoUrl: "https://www.youtube.com/watch?v=aqz-KE-bpKQ",
    videoThumbnail: picture("cover", "a-walk"),
    captionsUrl: null,
    transcriptHtml: null,
  },
  { __typename: "YoutubeEmbed", id: "youtube", videoId: "aqz-KE-bpKQ", title: "A walk in the park" },
  {
    __typename: "VideoModal",
    id: "video-modal",
    buttonText: "Watch the film",
    title: "Why we began",
    videoUrl: "https://media.stillpoint.example/why.mp4",
    videoThumbnail: picture("lotus", "why"),
  },
  {
    __typename: "VideoModal",
    id: "video-modal-plain",
    buttonText: "See how it works",
    title: "How it works, in a minute and a half, for people who would rather watch than read",
    videoUrl: "https://media.stillpoint.example/how.mp4",
    videoThumbnail: null,
  },
];

const soundSamples: Section[] = [
  {
    __typename: "MeditationPlayer",
    id: "player",
    title: "First ten minutes",
    subTitle: "With Ada Lindqvist",
    audioUrl: "/audio/first-ten-minutes.wav",
    durationSecs: 64,
    image: null,
    captionsUrl: "/audio/first-ten-minutes.vtt",
    transcriptHtml: "<p>A soft bell. Then only the breath.</p>",
  },
  {
    __typename: "MeditationPlayer",
    id: "player-plain",
    title: "Deep focus, an hour of sound for the work that needs you whole",
    subTitle: null,
    audioUrl: "/audio/deep-focus.wav",
    durationSecs: null,
    image: picture("waves", "deep-focus"),
    captionsUrl: null,
    transcriptHtml: null,
  },
  {
    __typename: "MeditationSampleCollection",
    id: "samples",
    heading: "Listen in",
    description: "A minute of each.",
    category: null,
    samples: [
      {
        title: "Sleep, gently",
        subTitle: "Story, 1 minute",
        image: null,
        popoverText: "For the last half hour of the day.",
        audioUrl: "/audio/sleep-gently.wav",
      },
      {
        title: "Deep focus",
        subTitle: "Sound, 1 minute",
        image: null,
        popoverText: null,
        audioUrl: "/audio/deep-focus.wav",
      },
      {
        title: "Kinder to yourself on the days when nothing works",
        subTitle: "Practice",
        image: picture("lotus", "kinder"),
        popoverText: "Fourteen days, five minutes each.",
        audioUrl: null,
      },
    ],
  },
  {
    __typename: "MeditationSampleCollection",
    id: "samples-loaded",
    heading: "Samples by category",
    description: null,
    category: 101,
    samples: [],
  },
];

const writtenSamples: Section[] = [
  {
    __typename: "AiText",
    id: "ai",
    title: "What is your love language?",
    type: null,
    question: "Tell us about a moment you felt close to someone",
    placeholder: "We were walking home and …",
    ask: "Write my text",
    bottomTitle: "Want to go on?",
    bottomImage: picture("cover", "love"),
  },
];

export const mediaSamples: Section[] = [...filmSamples, ...soundSamples, ...writtenSamples];
