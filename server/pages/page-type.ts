import { HTML_TYPE } from "../http/reply.ts";

/** The type and header lines of every page: scripts and styles come from this server alone, and none are inline. */
export const PAGE = {
  contentType: HTML_TYPE,
  headers:
    "\r\nContent-Security-Policy: default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'" +
    "\r\nReferrer-Policy: same-origin",
} as const;

/** The same of a picture that is a file of its own: it carries its own style, and nothing else. */
export const PICTURE = {
  contentType: "image/svg+xml; charset=utf-8",
  headers: "\r\nContent-Security-Policy: default-src 'none'; style-src 'unsafe-inline'",
} as const;
