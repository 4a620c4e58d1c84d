/** Where on the screen an element's middle is, from its left edge. */
export function centerXOf(element: Element): number {
  const { x, width } = element.getBoundingClientRect();
  return x + width / 2;
}
