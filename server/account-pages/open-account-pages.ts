/** Puts the pages of accounts together. Loaded only where they are on. */
import type { Logger } from "pino";
import type { AccessStore } from "../accounts/access-store.ts";
import type { Admin } from "../accounts/accounts-admin.ts";
import type { AccountsClock } from "../accounts/accounts.ts";
import { TRIAL_MS, DAY_MS } from "../accounts/period.ts";
import { checkPlan, TRIAL } from "../accounts/plans.ts";
import { SignIn } from "../accounts/sign-in.ts";
import { smtpMailer } from "../mail/mailer.ts";
import type { AccountPages } from "../requests/site.ts";
import type { PageSource } from "../../web/layout.tsx";
import type { AccountDataOptions } from "./account-data.ts";
import { AccountSite } from "./account-pages.ts";
import { LinkMails } from "./link-mails.ts";
import { publicAddressOf } from "./public-address.ts";

/** How an operator has the pages of accounts. */
export interface AccountPagesAsked {
  /** Whether an address without an account opens one. */
  readonly signup: "open" | "closed";
  /** `smtp://` or `smtps://`, checked; undefined for none. */
  readonly smtpUrl: string | undefined;
  /** The sender of mails; by default, `hindsight@` and the host of the public address. */
  readonly mailFrom: string | undefined;
  readonly upgradeUrl: string | undefined;
}

export interface OpenAccountPages extends Omit<
  AccountDataOptions,
  "signIn" | "upgradeUrl" | "nowMs"
> {
  readonly asked: AccountPagesAsked;
  readonly store: AccessStore;
  readonly admin: Admin;
  readonly clock: AccountsClock;
  readonly about: () => PageSource;
  readonly coin: () => string;
  readonly log: Logger;
  /** The least that an answer to a form takes that asks for a link. */
  readonly answerMs?: number;
}

/** So long every answer to a form that asks for a link takes, unless its mail takes longer. */
const ANSWER_MS = 700;

export function openAccountPages(options: OpenAccountPages): AccountPages {
  const { asked, store, admin, clock, publicUrl, plans, log, answerMs = ANSWER_MS } = options;
  const { nowMs } = clock;
  const address = publicAddressOf(publicUrl)!; // `accountPagesFault` has said so
  const signIn = new SignIn({
    store,
    admin: admin.as("page"),
    nowMs,
    opensAccounts: asked.signup === "open",
  });
  const { smtpUrl: url, mailFrom: from = `hindsight@${new URL(publicUrl).hostname}` } = asked;
  const warn = (message: string) => log.warn(message);
  const mails = new LinkMails({
    signIn,
    mailer: url === undefined ? undefined : smtpMailer({ url, from, warn }),
    print: (link) => log.info({ link }, "a link to sign in, which is nowhere else"),
    publicUrl,
    answerMs,
  });
  return new AccountSite({
    ...options,
    signIn,
    mails,
    address,
    nowMs,
    upgradeUrl: asked.upgradeUrl,
    opensAccounts: asked.signup === "open",
    trial: { calls: checkPlan(plans, TRIAL).callsPerMonth, days: TRIAL_MS / DAY_MS },
  });
}
