import { HTML_TYPE } from "../http/reply.ts";

/** The type and header lines of every page. Scripts and styles come from this server alone, and none are inline. */
export const PAGE = {
  contentType: HTML_TYPE,
  headers:
    "\r\nContent-Security-Policy: default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'" +
    "\r\nReferrer-Policy: same-origin",
} as const;

/** The type and header lines of a picture in a file of its own, which contains its style and loads nothing. */
export const PICTURE = {
  contentType: "image/svg+xml; charset=utf-8",
  headers: "\r\nContent-Security-Policy: default-src 'none'; style-src 'unsafe-inline'",
} as const;
