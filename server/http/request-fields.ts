/** How many different header values are remembered. Clients send few. */
const REMEMBERED_MAX = 256;
const remembered = new Map<string, boolean>();
/** Longer than any client sends. Even longer headers are not parsed, since anybody could send many of them. */
const LENGTH_MAX = 1024;

const QVALUE = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/;

/**
 * Whether to send gzip: `Accept-Encoding` names it, or covers it with `*`, with a weight above zero and not below that of
 * `identity` (RFC 9110, 12.5.3). Without the header, or with one that is too long, the plain body is sent.
 */
export function acceptsGzip(header: string): boolean {
  if (header === "" || header.length > LENGTH_MAX) return false;
  let accepted = remembered.get(header);
  if (accepted === undefined) {
    accepted = parse(header);
    if (remembered.size >= REMEMBERED_MAX) remembered.clear();
    remembered.set(header, accepted);
  }
  return accepted;
}

function parse(header: string): boolean {
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(",")) {
    const [coding = "", ...parameters] = item.split(";").map((part) => part.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    if (weight !== undefined && !QVALUE.test(weight)) continue; // an unreadable preference is ignored
    weights.set(coding, weight === undefined ? 1 : Number(weight));
  }
  const gzip = weights.get("gzip") ?? weights.get("x-gzip") ?? weights.get("*") ?? 0;
  return gzip > 0 && gzip >= (weights.get("identity") ?? 0);
}

const ENTITY_TAG = /(?:W\/)?"[\x21\x23-\x7e\x80-\uffff]*"/g;

/** Whether `If-None-Match` names this entity tag, by weak comparison, or is `*` (RFC 9110, 13.1.2). */
export function matchesEtag(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === "*") return true;
  const wanted = opaque(etag);
  for (const [tag] of ifNoneMatch.matchAll(ENTITY_TAG)) {
    if (opaque(tag) === wanted) return true;
  }
  return false;
}

function opaque(etag: string): string {
  return etag.startsWith("W/") ? etag.slice(2) : etag;
}
