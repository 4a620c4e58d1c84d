/** Fixtures of the profile page: a member, their devices and the block. */
export const ada = {
  user_id: "usr_1",
  fullName: "Ada",
  email: "ada@example.org",
  isCoachingUser: true,
  isTherapyUser: false,
};

export const devices = [
  { id: "ses_1", browser: "Firefox", system: "Android", last_seen_at: "2026-11-21T13:00:00Z", is_current: true },
  { id: "ses_2", browser: "", system: "", last_seen_at: "2026-11-20T09:00:00Z", is_current: false },
];

/** The block's fields. */
export const props = {
  seed: "profile",
  title: "Your profile",
  description: null,
  heading: "h1" as const,
  submitLabel: null,
  successMessage: "Saved here and in the app.",
  successPath: null,
  isAccount: true,
};
