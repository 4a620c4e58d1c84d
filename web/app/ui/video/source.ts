/** A video URL: an embeddable page of a video site, or a file. */
export type VideoSource = { kind: "file"; url: string } | { kind: "embed"; url: string };

const YOUTUBE_ID = /^[A-Za-z0-9_-]{11}$/;

export function videoSource(url: string): VideoSource {
  if (!URL.canParse(url)) return { kind: "file", url };
  const { hostname, pathname, searchParams } = new URL(url);
  const host = hostname.replace(/^(www|m)\./, "");
  const last = pathname.split("/").filter(Boolean).at(-1) ?? "";
  if (host === "youtu.be") return youtube(last) ?? { kind: "file", url };
  if (host === "youtube.com" || host === "youtube-nocookie.com") {
    return youtube(searchParams.get("v") ?? last) ?? { kind: "file", url };
  }
  if ((host === "vimeo.com" || host === "player.vimeo.com") && /^\d+$/.test(last)) {
    return { kind: "embed", url: `https://player.vimeo.com/video/${last}?dnt=1&autoplay=1` };
  }
  return { kind: "file", url };
}

export function youtubeEmbed(id: string): string {
  return `https://www.youtube-nocookie.com/embed/${id}?autoplay=1&rel=0&enablejsapi=1`;
}

function youtube(id: string): VideoSource | null {
  return YOUTUBE_ID.test(id) ? { kind: "embed", url: youtubeEmbed(id) } : null;
}
