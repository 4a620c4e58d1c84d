import { encode } from "uqr";

const QUIET_ZONE = 4;

export interface QrDrawing {
  /** Modules per side, including the quiet zone. */
  size: number;
  path: string;
}

/** One path of horizontal runs, shorter than a rectangle per module. */
export function drawQr(text: string): QrDrawing {
  const { data, size } = encode(text, { ecc: "M", border: QUIET_ZONE });
  const runs = data.flatMap((row, y) => {
    const found: string[] = [];
    for (let x = 0; x < row.length; x += 1) {
      if (!row[x]) continue;
      const start = x;
      while (row[x + 1]) x += 1;
      found.push(`M${start} ${y}h${x - start + 1}v1h-${x - start + 1}z`);
    }
    return found;
  });
  return { size, path: runs.join("") };
}
