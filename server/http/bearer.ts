import { TextTable } from "../text-table.ts";

const BEARER = /^bearer +(\S.*)$/i;

/** Credentials by header. The same text each time is also found more quickly by those who look it up. */
const recent = new TextTable<string>();

/**
 * The bearer credential of an `Authorization` header; "" when there is none, which is another scheme or a scheme
 * without a credential. What it must look like is the account store's to say, and so a credential with blanks or
 * commas in it is one, and a wrong one.
 */
export function bearerOf(authorization: string): string {
  let credential = recent.get(authorization);
  if (credential === undefined) {
    credential = credentialIn(authorization);
    recent.set(authorization, credential);
  }
  return credential;
}

function credentialIn(authorization: string): string {
  if (authorization.startsWith("Bearer ") && !authorization.includes(" ", 7)) {
    return authorization.slice(7);
  }
  return BEARER.exec(authorization)?.[1] ?? "";
}
