const SUBJECTS = /survey|coach|therap|counsel|nutrition|partner|gympass|wellhub|link-account|love-language|-program\b/i;

/** That somebody was on such a page says something of their health or their employer: nobody else may learn of it. */
export function isSensitive(pathname: string): boolean {
  return SUBJECTS.test(pathname);
}
