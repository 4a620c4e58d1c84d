/** What every form about an account asks of its fields. The server decides. */

export const PASSWORD_MIN = 6;

/** As lenient as an address can be judged without sending to it. */
const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

export function isEmail(text: string): boolean {
  return EMAIL.test(text.trim());
}

/** Characters as a person counts them. */
export function isLongEnough(password: string): boolean {
  return [...password].length >= PASSWORD_MIN;
}
