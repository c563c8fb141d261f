import { NO_STORE, type Reply } from "../http/reply.ts";
import { PAGE } from "../pages/page-type.ts";
import type { PageSource } from "../../web/layout.tsx";
import { renderNotice } from "../../web/account/render.tsx";

/** Makes a reply once the fair queue has reached the caller's network. */
export type Made = () => Reply;

/** A page for one reader: it is not cached, and its address is not sent to other sites as a referrer. */
export function page(status: string, body: () => string, lines = ""): Made {
  return () => ({
    status,
    headers: `${NO_STORE}${PAGE.headers}${lines}`,
    contentType: PAGE.contentType,
    body: body(),
  });
}

/** Redirects to the account page after a form. The target never comes from the request. */
export function onward(lines = ""): Made {
  return page("303 See Other", () => "", `\r\nLocation: /account${lines}`);
}

export interface Notice {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly status?: string;
  readonly onward?: readonly [label: string, path: string];
  readonly lines?: string;
}

export function notice(about: () => PageSource, words: Notice): Made {
  const { status = "200 OK", lines, ...shown } = words;
  return page(status, () => renderNotice({ about: about(), ...shown }), lines);
}

/** The notices that forms and links end in. */
export const NOTICES = {
  badForm: {
    title: "This form cannot be read",
    sentences: ["Send it from the account page."],
    status: "400 Bad Request",
  },
  notOurs: {
    title: "This came from another page",
    sentences: [
      "The form was not sent by a page of this server, so nothing was done. Send it from the account page.",
    ],
    status: "403 Forbidden",
  },
  unavailable: {
    title: "Not now",
    sentences: ["The accounts are out of reach. Nothing was changed; try again in a moment."],
    status: "503 Service Unavailable",
    lines: "\r\nRetry-After: 1",
  },
  noLink: {
    title: "This link is not valid",
    sentences: [
      "It was used, is older than 15 minutes, or has been cancelled by a later change. Ask for another one.",
    ],
    status: "410 Gone",
    onward: ["Ask for a link", "/account"],
  },
  suspended: {
    title: "This account is suspended",
    sentences: ["Write to the operator of this server."],
    status: "403 Forbidden",
  },
  closed: {
    title: "No account has this address",
    sentences: [
      "New accounts are opened by the operator of this server. Write to them, or sign in with another address.",
    ],
    status: "403 Forbidden",
  },
  limited: {
    title: "Not today",
    sentences: [
      "Your network has opened as many accounts in 24 hours as it may. Ask for another link tomorrow.",
    ],
    status: "403 Forbidden",
  },
  mailbox: {
    title: "This mailbox has a trial",
    sentences: [
      "Another address of the same mailbox has opened an account within 30 days. Sign in with that one, or write to the operator of this server.",
    ],
    status: "403 Forbidden",
  },
  tooMany: {
    title: "Too many links",
    sentences: [
      "More links were requested from your network, or from all, than are sent in an hour. No mail was sent. A browser that has signed in with the address before gets one all the same; from elsewhere, try again later.",
    ],
    status: "429 Too Many Requests",
    lines: "\r\nRetry-After: 600",
  },
  taken: {
    title: "This address has an account",
    sentences: ["Sign in to that one, or delete it first. Nothing was changed."],
    status: "409 Conflict",
  },
  notOwner: {
    title: "Open this link where you are signed in",
    sentences: [
      "An account gets another address only in a browser that has signed in to it within 24 hours. Nothing was changed.",
    ],
    status: "403 Forbidden",
  },
  moved: {
    title: "Your address is changed",
    sentences: [
      "Mails go to the new one from now on. A mail tells the old one of the change. Other browsers are signed out.",
    ],
  },
  deleted: {
    title: "Your account is deleted",
    sentences: [
      "Its address, keys, sessions, jobs and results are gone. For 30 days a hash of the address is kept: an account opened again within them continues the trial.",
    ],
    onward: ["Home", "/"],
  },
  notSent: {
    title: "The mail was not sent",
    sentences: [
      "The mail server did not accept it in time. Nothing was changed; try again in a minute.",
    ],
    status: "503 Service Unavailable",
  },
  refused: {
    title: "The mail was refused",
    sentences: [
      "The mail server accepts no mail for this address. Check that it is written correctly.",
    ],
    status: "422 Unprocessable Content",
  },
} as const satisfies Readonly<Record<string, Notice>>;
