import { HTML_TYPE } from "../http/reply.ts";

/** The type and header lines of every page: scripts and styles come from this server alone, and none are inline. */
export const PAGE = {
  contentType: HTML_TYPE,
  headers:
    "\r\nContent-Security-Policy: default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'" +
    "\r\nReferrer-Policy: same-origin",
} as const;
