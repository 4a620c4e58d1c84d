/** Whether a pointer is on its way to a panel, and what it crosses on the way is only in between: the "safe triangle". */

export interface Point {
  x: number;
  y: number;
}

export interface Edge {
  start: Point;
  end: Point;
}

/** Inside the triangle between where the pointer was and the near edge of the panel. */
export function isInSafeTriangle({ start, end }: Edge, before: Point, now: Point): boolean {
  if (before.x === now.x && before.y === now.y) return false;
  const sides = [turn(before, start, now), turn(start, end, now), turn(end, before, now)];
  return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
}

/** On which side of the line from one point to another a third one is. */
function turn(from: Point, to: Point, point: Point): number {
  return (to.x - from.x) * (point.y - from.y) - (to.y - from.y) * (point.x - from.x);
}
