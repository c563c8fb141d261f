/** Header lines of every page: scripts and styles come from this server alone, and there are no inline ones. */
export const PAGE_POLICY =
  "\r\nContent-Security-Policy: default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'" +
  "\r\nReferrer-Policy: same-origin";
