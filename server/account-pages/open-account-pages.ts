import type { LinkOutcome } from "../../accounts/access-rules.ts";
import { SignIn } from "../../accounts/sign-in.ts";
import { smtpMailer } from "../../accounts/mail/mailer.ts";
import type { AccountPages } from "../requests/site.ts";
import type { OpenAccountPages } from "./account-forms.ts";
import { AccountSite } from "./account-pages.ts";
import { LinkMails } from "./link-mails.ts";
import { publicAddressOf } from "./public-address.ts";

const ANSWER_MS = 700;
/** At most one line in this time says that links are limited. */
const SAID_EACH_MS = 60_000;

/** Why the account pages cannot be offered; undefined if they can. */
export function accountPagesFault(asked: {
  /** The operator's `--public-url`, or the address of a server that listens on loopback. */
  readonly publicUrl: string | undefined;
  readonly smtpUrl: string | undefined;
}): string | undefined {
  if (asked.publicUrl === undefined) return "links need the address of this server: --public-url";
  const address = publicAddressOf(asked.publicUrl);
  if (address === undefined) {
    return "--public-url must be https: a session could be read on its way";
  }
  if (asked.smtpUrl === undefined && !address.isLoopback) {
    return "links go by mail: HINDSIGHT_SMTP_URL";
  }
  return undefined;
}

export function openAccountPages(options: OpenAccountPages): AccountPages {
  const { asked, store, admin, clock, publicUrl, about, log, answerMs = ANSWER_MS } = options;
  const address = publicAddressOf(publicUrl)!; // `accountPagesFault` has checked it
  const { nowMs } = clock;
  const opensAccounts = asked.signup === "open";
  const signIn = new SignIn({ store, admin: admin.as("page"), nowMs, opensAccounts });
  const { smtpUrl: url, mailFrom: from = `hindsight@${new URL(publicUrl).hostname}` } = asked;
  const warn = (message: string) => log.warn(message);
  const mailer = url === undefined ? undefined : smtpMailer({ url, from, warn });
  const print = (link: string) => log.info({ link }, "a link to sign in, which is nowhere else");
  let saidMs = -Infinity;
  const count = (outcome: LinkOutcome) => {
    options.count?.(outcome);
    if (outcome !== "limited_all" || clock.monotonicMs() - saidMs < SAID_EACH_MS) return;
    saidMs = clock.monotonicMs();
    log.warn("more links are requested than the limit in all: most networks get no other one");
  };
  const mails = new LinkMails({ signIn, mailer, print, about, publicUrl, answerMs, count, nowMs });
  return new AccountSite({ ...options, signIn, mails, address });
}
