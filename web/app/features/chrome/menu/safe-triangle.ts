/** The "safe triangle": while the pointer moves towards an open panel, the items it crosses do not open. */

export interface Point {
  x: number;
  y: number;
}

export interface Edge {
  start: Point;
  end: Point;
}

/** Whether the pointer is inside the triangle between its last position and the near edge of the panel. */
export function isInSafeTriangle({ start, end }: Edge, before: Point, now: Point): boolean {
  if (before.x === now.x && before.y === now.y) return false;
  const sides = [turn(before, start, now), turn(start, end, now), turn(end, before, now)];
  return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
}

/** The side of a line on which a point lies, as the sign of the cross product. */
function turn(from: Point, to: Point, point: Point): number {
  return (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x);
}
