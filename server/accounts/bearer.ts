const USUAL = "Bearer ";
const BEARER = /^bearer +(\S.*)$/i;

/** How long an `Authorization` header is with a key of this length, as nearly all clients write it. */
export function usualLength(keyLength: number): number {
  return USUAL.length + keyLength;
}

/**
 * The bearer credential of an `Authorization` header; "" when there is none, which is another scheme or a scheme
 * without a credential. What it must look like is the account store's to say, and so a credential with blanks or
 * commas in it is one, and a wrong one.
 */
export function bearerOf(authorization: string): string {
  if (authorization.startsWith(USUAL) && !authorization.includes(" ", USUAL.length)) {
    return authorization.slice(USUAL.length);
  }
  return BEARER.exec(authorization)?.[1] ?? "";
}
