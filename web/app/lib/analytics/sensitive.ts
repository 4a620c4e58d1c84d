const SUBJECTS = /survey|coach|therap|counsel|nutrition|partner|gympass|wellhub|link-account|love-language|-program\b/i;

/** A visit of such a page reveals health or an employer: third parties must not see it. */
export function isSensitive(pathname: string): boolean {
  return SUBJECTS.test(pathname);
}
