import type { Logger } from "pino";
import type { AccessStore } from "../accounts/access-store.ts";
import type { Admin } from "../accounts/accounts-admin.ts";
import type { Accounts, AccountsClock } from "../accounts/accounts.ts";
import type { PlanTable } from "../accounts/plans.ts";
import { SignIn } from "../accounts/sign-in.ts";
import type { JobIntakeStore } from "../jobs/job-store.ts";
import { smtpMailer } from "../mail/mailer.ts";
import type { AccountPages } from "../requests/site.ts";
import type { PageSource } from "../../web/layout.tsx";
import { AccountSite } from "./account-pages.ts";
import { LinkMails } from "./link-mails.ts";
import { publicAddressOf } from "./public-address.ts";

/** The operator's settings of the account pages. */
export interface AccountPagesAsked {
  /** Whether signing in with an address that has no account opens one. */
  readonly signup: "open" | "closed";
  /** `smtp://` or `smtps://`, checked; undefined for none. */
  readonly smtpUrl: string | undefined;
  /** The sender of mails; by default, `hindsight@` and the host of the public address. */
  readonly mailFrom: string | undefined;
  /** Where an account gets another plan: the operator's page, which is given the account's id. */
  readonly upgradeUrl: string | undefined;
}

export interface OpenAccountPages {
  readonly asked: AccountPagesAsked;
  readonly store: AccessStore;
  readonly admin: Admin;
  readonly accounts: Pick<Accounts, "rateUsed">;
  readonly jobs: Pick<JobIntakeStore, "list">;
  readonly plans: PlanTable;
  readonly publicUrl: string;
  readonly clock: AccountsClock;
  readonly about: () => PageSource;
  /** A coin of the board, for the first request that the page suggests. */
  readonly coin: () => string;
  readonly log: Logger;
  /** The least time that an answer to a form takes that asks for a link. */
  readonly answerMs?: number;
}

const ANSWER_MS = 700;

export function openAccountPages(options: OpenAccountPages): AccountPages {
  const { asked, store, admin, clock, publicUrl, about, log, answerMs = ANSWER_MS } = options;
  const address = publicAddressOf(publicUrl)!; // `accountPagesFault` has checked it
  const opensAccounts = asked.signup === "open";
  const signIn = new SignIn({ store, admin: admin.as("page"), nowMs: clock.nowMs, opensAccounts });
  const { smtpUrl: url, mailFrom: from = `hindsight@${new URL(publicUrl).hostname}` } = asked;
  const warn = (message: string) => log.warn(message);
  const mailer = url === undefined ? undefined : smtpMailer({ url, from, warn });
  const print = (link: string) => log.info({ link }, "a link to sign in, which is nowhere else");
  const mails = new LinkMails({ signIn, mailer, print, about, publicUrl, answerMs });
  return new AccountSite({ ...options, signIn, mails, address });
}
