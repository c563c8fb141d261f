import { createCipheriv, createDecipheriv, createHmac, hash, randomBytes } from "node:crypto";
import { emailIdentity } from "./email.ts";
import type { RandomBytes } from "./keys.ts";

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;
const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** 256 random bits as text: the token of a link or of a form. */
export function drawToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** The stored form of a token. */
export function hashToken(token: string): string {
  return hash("sha256", token, "base64url");
}

/**
 * The session token of a link and a form. Who has both computes the same one, and no one who has only one of them
 * can. So a second press of the button, or one after a lost answer, leads to the same session, and nothing secret is
 * stored for it.
 */
export function sessionToken(link: string, once: string): string {
  return createHmac("sha256", link).update(`session:${once}`).digest("base64url");
}

/** Bytes that a session and a form determine and no one else can compute: a form posted twice makes one key. */
export function keyBytes(session: string, once: string): RandomBytes {
  let drawn = 0;
  const block = () => createHmac("sha256", session).update(`key:${once}:${drawn++}`).digest();
  return (size) => {
    const blocks = Array.from({ length: Math.ceil(size / TOKEN_BYTES) }, block);
    return Buffer.concat(blocks).subarray(0, size);
  };
}

/** An address encrypted with its link's token, of which the store has only the hash. */
export function seal(token: string, address: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, sealKey(token), nonce);
  const sealed = Buffer.concat([cipher.update(address, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

export function unseal(token: string, sealed: string): string {
  const bytes = Buffer.from(sealed, "base64url");
  const [tagAt, textAt] = [NONCE_BYTES, NONCE_BYTES + TAG_BYTES];
  const decipher = createDecipheriv(CIPHER, sealKey(token), bytes.subarray(0, tagAt));
  decipher.setAuthTag(bytes.subarray(tagAt, textAt));
  return decipher.update(bytes.subarray(textAt), undefined, "utf8") + decipher.final("utf8");
}

function sealKey(token: string): Buffer {
  return createHmac("sha256", token).update("address").digest();
}

/** The form in which addresses and networks leave this process: without the store's secret, no one can find one by trying. */
export function keyedHash(
  secret: string,
  kind: "address" | "browser" | "share",
  text: string,
): string {
  return createHmac("sha256", secret).update(`${kind}:${text}`).digest("base64url");
}

export function addressHash(secret: string, email: string): string {
  return keyedHash(secret, "address", emailIdentity(email));
}
