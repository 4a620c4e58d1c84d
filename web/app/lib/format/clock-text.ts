/** 600 is 10:00, 9 is 00:09. */
export function clockText(seconds: number): string {
  const pair = (part: number) => String(part).padStart(2, "0");
  return `${pair(Math.floor(seconds / 60))}:${pair(seconds % 60)}`;
}
