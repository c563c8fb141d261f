import type { HttpRequest } from "../http/request.ts";
import type { MadeLink } from "../accounts/sign-in.ts";
import type { PageSource } from "../../web/layout.tsx";
import type { AccountDataOptions } from "./account-data.ts";
import type { LinkMails } from "./link-mails.ts";
import { NOTICES, notice, type Made } from "./page-replies.ts";
import type { PublicAddress } from "./public-address.ts";

export interface AccountPagesOptions extends AccountDataOptions {
  readonly mails: LinkMails;
  readonly address: PublicAddress;
  readonly about: () => PageSource;
  readonly opensAccounts: boolean;
  /** A coin of the board. */
  readonly coin: () => string;
  /** Calls and days of a trial. */
  readonly trial: { readonly calls: number; readonly days: number };
}

/** A form as it was posted, or the query of a page. */
export interface Posted {
  readonly request: HttpRequest;
  readonly network: string;
  /** The cookie; "" if there is none. */
  readonly cookie: string;
  readonly field: (name: string) => string;
}

/**
 * Sends a link, if one is to be sent. What is said is the same for every address: whether it has an account, is suspended,
 * or is beyond a limit.
 */
export async function sendLink(
  { mails, about }: AccountPagesOptions,
  link: MadeLink | undefined,
  email: string,
): Promise<Made> {
  const delivery = await mails.send(link);
  if (delivery === "failed") return notice(about, NOTICES.notSent);
  if (delivery === "refused") return notice(about, NOTICES.refused);
  const sentences = mails.sendsMail
    ? [
        `A mail is on its way to ${email.trim()}. It has a link, which holds for 15 minutes.`,
        "Nothing came? Look among unwanted mail, and ask again: three times an hour at most.",
      ]
    : ["This server runs on this machine and sends no mail: the link is in its log."];
  return notice(about, { title: "Look at your mail", sentences });
}
