import { NO_STORE, type Reply } from "../http/reply.ts";
import { PAGE } from "../pages/page-type.ts";
import type { PageSource } from "../../web/layout.tsx";
import { renderNotice } from "../../web/account/render.tsx";

/** Makes a reply when it is the network's turn. */
export type Made = () => Reply;

/** A page for one reader: nothing keeps it, and no other page learns of its address. */
export function page(status: string, body: () => string, lines = ""): Made {
  return () => ({
    status,
    headers: `${NO_STORE}${PAGE.headers}${lines}`,
    contentType: PAGE.contentType,
    body: body(),
  });
}

/** Sends a browser on after a form, to the account page: no request names where. */
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
  const { title, sentences, status = "200 OK", lines } = words;
  return page(
    status,
    () => renderNotice({ about: about(), title, sentences, onward: words.onward }),
    lines,
  );
}

/** Words that several pages say. */
export const NOTICES = {
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
    title: "This link does not hold",
    sentences: [
      "It was used, is older than 15 minutes, or something has happened since that ended it. Ask for another one.",
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
      "Your network has opened five accounts in the last 24 hours, the most there may be. The link holds for 15 minutes; ask for another one tomorrow.",
    ],
    status: "403 Forbidden",
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
    sentences: ["Mails go to the new one from now on. The old one was told."],
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
      "The mail server did not take it in time. Nothing was changed; try again in a minute.",
    ],
    status: "503 Service Unavailable",
  },
  refused: {
    title: "The mail was refused",
    sentences: [
      "The mail server takes nothing for this address. Look whether it is written correctly.",
    ],
    status: "422 Unprocessable Content",
  },
} as const satisfies Readonly<Record<string, Notice>>;
