import { createHmac, timingSafeEqual } from "node:crypto";
import { DomainError } from "../http/errors.ts";
import { parseQuery } from "../http/url.ts";

/** A link to one file, for anyone who has it, in the name of a key. */
export interface TableLink {
  readonly snapshot: string;
  readonly file: string;
  /** Unix seconds. */
  readonly until: number;
  readonly keyId: string;
}

const SECONDS = /^\d{1,12}$/;

/** The query of a link. */
export function signedQuery(secret: string, link: TableLink): string {
  const { until, keyId } = link;
  return `until=${until}&key=${encodeURIComponent(keyId)}&signature=${signatureOf(secret, link)}`;
}

/**
 * The id of the key of a requested link, if its signature is right and it has not ended. Undefined if the query has
 * no link at all. Throws DomainError.
 */
export function keyOfLink(
  secret: string,
  { query, ...asked }: Pick<TableLink, "snapshot" | "file"> & { readonly query: string },
  nowMs: number,
): string | undefined {
  const {
    until = "",
    key: keyId = "",
    signature = "",
    ...others
  } = parseQuery(query) as Record<string, string>;
  if (signature === "" && until === "" && keyId === "") return undefined;
  const isKnown = Object.keys(others).length === 0 && SECONDS.test(until);
  const right = signatureOf(secret, { ...asked, until: Number(until), keyId });
  if (!isKnown || String(Number(until)) !== until || !isSame(signature, right)) throw invalidLink();
  if (nowMs < Number(until) * 1000) return keyId;
  const message = "this link has ended; GET /v1/snapshots with a key has a new one";
  throw new DomainError("link_expired", message);
}

export function invalidLink(): DomainError {
  const message =
    "this link was altered, is for another file, or its key is no longer in force; GET /v1/snapshots with a key has links";
  return new DomainError("link_invalid", message);
}

/** HMAC-SHA-256 over the parts, which have no line breaks, so that no two links have the same text (RFC 2104). */
function signatureOf(secret: string, { snapshot, file, until, keyId }: TableLink): string {
  const text = ["table-link", snapshot, file, until, keyId].join("\n");
  return createHmac("sha256", secret).update(text).digest("base64url");
}

/** Compares in a time that does not depend on where the two differ. */
function isSame(sent: string, right: string): boolean {
  const [one, other] = [Buffer.from(sent), Buffer.from(right)];
  return one.length === other.length && timingSafeEqual(one, other);
}
