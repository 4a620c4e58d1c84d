/** An editor at the content service: its gRPC, as far as the journeys need it. */
import { readFileSync } from "node:fs";
import { connect } from "node:http2";

export const contentUrl = process.env.CONTENT_URL;

interface DraftedPage {
  urlPath: string;
  locale: string;
  heading: string;
}

export async function saveDraft({ urlPath, locale, heading }: DraftedPage, expectedRevision = 0): Promise<void> {
  const section = [text(1, "top"), text(2, "Heading"), text(3, JSON.stringify({ text: heading, tag: "h1" }))];
  const page = [text(1, urlPath), text(2, locale), text(3, "Page"), text(4, "page")];
  const body = message(1, [...page, message(7, [text(1, heading)]), message(8, section)]);
  await call("SaveDraft", [message(1, [body]), ...(expectedRevision ? [number(2, expectedRevision)] : [])]);
}

/** The token of a link to the draft. */
export async function createPreview(urlPath: string, locale: string): Promise<string> {
  const answer = await call("CreatePreview", [text(1, urlPath), text(2, locale)]);
  const token = /[0-9a-f]{64}/.exec(answer.toString("latin1"))?.[0];
  if (!token) throw new Error("CreatePreview answered without a token");
  return token;
}

export async function publishDraft(urlPath: string, locale: string, revision: number): Promise<void> {
  await call("PublishDraft", [message(1, pageItem(urlPath, locale)), number(2, revision)]);
}

export async function unpublish(urlPath: string, locale: string): Promise<void> {
  await call("Unpublish", [message(1, pageItem(urlPath, locale))]);
}

const pageItem = (urlPath: string, locale: string) => [number(1, 1), text(2, locale), text(3, urlPath)];

async function call(method: string, fields: Buffer[]): Promise<Buffer> {
  const request = Buffer.concat(fields);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(request.length, 1);
  const session = connect(contentUrl ?? "", certificate());
  try {
    const stream = session.request({
      ":method": "POST",
      ":path": `/stillpoint.content.v1.EditingService/${method}`,
      "content-type": "application/grpc",
      te: "trailers",
    });
    let status: unknown;
    stream.on("response", (headers) => (status ??= headers["grpc-status"]));
    stream.on("trailers", (trailers) => (status = trailers["grpc-status"]));
    stream.end(Buffer.concat([head, request]));
    const pieces: Buffer[] = [];
    for await (const piece of stream) pieces.push(piece as Buffer);
    const answer = Buffer.concat(pieces);
    if (String(status) !== "0") throw new Error(`${method} answered gRPC status ${status}`);
    return answer.subarray(5);
  } finally {
    session.close();
  }
}

/** The editor's certificate. The server's has the name of the service, not of the machine. */
function certificate() {
  const read = (variable: string) => readFileSync(process.env[variable] ?? "");
  return {
    cert: read("GRPC_CERT_FILE"),
    key: read("GRPC_KEY_FILE"),
    ca: read("GRPC_CA_FILE"),
    servername: "content",
  };
}

function text(field: number, value: string): Buffer {
  return message(field, [Buffer.from(value)]);
}

function message(field: number, parts: Buffer[]): Buffer {
  const bytes = Buffer.concat(parts);
  return Buffer.concat([varint((field << 3) | 2), varint(bytes.length), bytes]);
}

function number(field: number, value: number): Buffer {
  return Buffer.concat([varint(field << 3), varint(value)]);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}
