/** Small pictures of large blocks, and how much two of them differ. The browser does the reading, writing and counting. */
import type { Page } from "@playwright/test";

/** Small files, with enough detail to detect a changed word. */
const QUALITY = 0.8;
/** Of 255, in one colour of one pixel: more than two versions of the browser differ in. */
const TOLERANCE = 32;

/** A screenshot as it is stored: a WebP, base64. */
export function shrunk(canvas: Page, png: Buffer): Promise<string> {
  return canvas.evaluate(
    async ({ source, quality }) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${source}`)).blob());
      const sheet = new OffscreenCanvas(bitmap.width, bitmap.height);
      sheet.getContext("2d")?.drawImage(bitmap, 0, 0);
      const bytes = new Uint8Array(await (await sheet.convertToBlob({ type: "image/webp", quality })).arrayBuffer());
      return bytes.toBase64();
    },
    { source: png.toString("base64"), quality: QUALITY },
  );
}

export interface Difference {
  /** The changed part of the picture, 0 to 1. */
  changed: number;
  /** When more than `unseen` has changed: the new picture, faint, with what changed in red: a PNG, base64. */
  marked: string | null;
}

export function difference(
  canvas: Page,
  pictures: { stored: string; drawn: string; unseen: number },
): Promise<Difference> {
  return canvas.evaluate(
    async ({ stored, drawn, unseen, tolerance }) => {
      const read = async (source: string) => {
        const blob = await (await fetch(`data:image/webp;base64,${source}`)).blob();
        return createImageBitmap(blob);
      };
      const [before, after] = await Promise.all([read(stored), read(drawn)]);
      const [width, height] = [Math.max(before.width, after.width), Math.max(before.height, after.height)];
      const pixelsOf = (bitmap: ImageBitmap) => {
        const brush = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
        if (!brush) throw new Error("No canvas");
        brush.drawImage(bitmap, 0, 0);
        return brush.getImageData(0, 0, width, height);
      };
      const [was, is] = [pixelsOf(before).data, pixelsOf(after)];
      const isFar = (at: number) => {
        for (let part = at; part < at + 4; part += 1) {
          if (Math.abs((was[part] ?? 0) - (is.data[part] ?? 0)) > tolerance) return true;
        }
        return false;
      };
      const changedAt: number[] = [];
      for (let at = 0; at < was.length; at += 4) if (isFar(at)) changedAt.push(at);
      const changed = changedAt.length / (width * height);
      if (changed <= unseen) return { changed, marked: null };

      const [FAINT, RED] = [80, [220, 0, 0, 255]];
      for (let at = 3; at < was.length; at += 4) is.data[at] = FAINT;
      for (const at of changedAt) is.data.set(RED, at);
      const sheet = new OffscreenCanvas(width, height);
      sheet.getContext("2d")?.putImageData(is, 0, 0);
      const bytes = new Uint8Array(await (await sheet.convertToBlob({ type: "image/png" })).arrayBuffer());
      return { changed, marked: bytes.toBase64() };
    },
    { ...pictures, tolerance: TOLERANCE },
  );
}
