const BEARER = /^bearer +(\S.*)$/i;

/**
 * The bearer credential of an `Authorization` header; "" when there is none, which is another scheme or a scheme
 * without a credential. What it must look like is the account store's to say, and so a credential with blanks or
 * commas in it is one, and a wrong one.
 */
export function bearerOf(authorization: string): string {
  if (authorization.startsWith("Bearer ") && !authorization.includes(" ", 7)) {
    return authorization.slice(7);
  }
  return BEARER.exec(authorization)?.[1] ?? "";
}
