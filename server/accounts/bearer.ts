const USUAL = "Bearer ";
const BEARER = /^bearer +(\S.*)$/i;

/**
 * The bearer credential of an `Authorization` header; "" if the scheme is another one or has no credential.
 * What a credential looks like is up to the account store, so one that contains blanks or commas is still
 * returned, and the store finds it wrong.
 */
export function bearerOf(authorization: string): string {
  if (authorization.startsWith(USUAL) && !authorization.includes(" ", USUAL.length)) {
    return authorization.slice(USUAL.length);
  }
  return BEARER.exec(authorization)?.[1] ?? "";
}
