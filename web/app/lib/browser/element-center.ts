/** Horizontal centre of an element, in viewport pixels. */
export function centerXOf(element: Element): number {
  const { x, width } = element.getBoundingClientRect();
  return x + width / 2;
}
