import type { Logger } from "pino";
import type { AccessRules, LinkOutcome } from "../../accounts/access-rules.ts";
import { drawToken, isToken } from "../../accounts/access-tokens.ts";
import type { Accounts, AccountsClock } from "../../accounts/accounts.ts";
import type { Admin } from "../../accounts/accounts-admin.ts";
import type { NewKey } from "../../accounts/admin.ts";
import { keysInForce } from "../../accounts/admin-rules.ts";
import { DAY_MS, TRIAL_MS } from "../../accounts/in-force.ts";
import { AccountsRefused } from "../../accounts/refused.ts";
import { checkPlan, TRIAL, type PlanTable } from "../../accounts/plans.ts";
import type { SignIn, Signed } from "../../accounts/sign-in.ts";
import { DomainError } from "../http/errors.ts";
import type { HttpRequest } from "../http/request.ts";
import type { JobIntakeStore } from "../../accounts/jobs/job-store.ts";
import type { PageSource } from "../../web/layout.tsx";
import { renderAccount, renderAsk, renderPricing } from "../../web/account/render.tsx";
import type { AccountData, ShownKey } from "../../web/account/account-data.ts";
import type { LinkMails } from "./link-mails.ts";
import { onward, page, type Made } from "./page-replies.ts";
import type { PublicAddress } from "./public-address.ts";

/** The operator's settings of the account pages. */
export interface AccountPagesAsked {
  /** Whether signing in with an address that has no account opens one. */
  readonly signup: "open" | "closed";
  /** `smtp://` or `smtps://`, checked; undefined for none. */
  readonly smtpUrl: string | undefined;
  /** The sender of mails; by default, `hindsight@` and the host of the public address. */
  readonly mailFrom: string | undefined;
  /** Links to all strangers; `LINK_LIMITS.all` by default. */
  readonly linksPerHour?: number | undefined;
  /** Where an account gets another plan: the operator's page, which is given the account's id. */
  readonly upgradeUrl: string | undefined;
}

export interface OpenAccountPages {
  readonly asked: AccountPagesAsked;
  readonly store: AccessRules;
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
  /** Counts what became of a form that asks for a link. */
  readonly count?: (outcome: LinkOutcome) => void;
  /** The least time that an answer to a form takes that asks for a link. */
  readonly answerMs?: number;
}

export interface AccountPagesOptions extends OpenAccountPages {
  readonly signIn: SignIn;
  readonly mails: LinkMails;
  readonly address: PublicAddress;
}

/** A posted form, or the query of a page. */
export interface Posted {
  readonly request: HttpRequest;
  /** The network in every width, the narrowest first; empty for one without limits. */
  readonly networks: readonly string[];
  /** The session cookie, or "". */
  readonly cookie: string;
  /** The cookie of a browser that has signed in before, or "". */
  readonly known: string;
  readonly field: (name: string) => string;
}

const JOBS_SHOWN = 20;
const HOUR_MS = 3_600_000;
/** The grace periods that the page offers for a replaced key, in hours. */
const GRACE_HOURS = new Set(["0", "1", "24", "168"]);

const NOT_FRESH =
  "Keys, the address and the account itself are changed only within 24 hours of signing in. Nothing was changed: sign in once more.";

/** The forms of a signed-in browser, and the one that signs it in. */
export class AccountForms {
  readonly #options: AccountPagesOptions;

  constructor(options: AccountPagesOptions) {
    this.#options = options;
  }

  /** The form that asks for an address. */
  askPage(
    status: string,
    shown: {
      readonly email?: string;
      readonly problem?: string;
      readonly opensAccounts?: boolean;
    } = {},
  ): Made {
    const { about, asked, plans } = this.#options;
    const trial = { calls: checkPlan(plans, TRIAL).callsPerMonth, days: TRIAL_MS / DAY_MS };
    const form = { once: drawToken(), opensAccounts: asked.signup === "open", trial, ...shown };
    return page(status, () => renderAsk({ about: about(), ...form }));
  }

  pricingPage(): Made {
    const { about, plans } = this.#options;
    const props = { plans: [...plans.values()], trialDays: TRIAL_MS / DAY_MS };
    return page("200 OK", () => renderPricing({ about: about(), ...props }));
  }

  async show(signed: Signed, shown?: ShownKey): Promise<Made> {
    const { about } = this.#options;
    const data = await this.#data(signed, shown);
    return page("200 OK", () => renderAccount({ about: about(), data }));
  }

  /** Calls by day and endpoint as CSV. None of the texts needs quotes. */
  readonly usageFile = async ({ account }: Signed): Promise<Made> => {
    const { endpoints } = await this.#options.signIn.admin.usageOf(account.id);
    const lines = endpoints.map(({ day, env, endpoint, calls, units }) =>
      [day, env, endpoint, calls, units].join(","),
    );
    const text = ["day,env,endpoint,calls,units", ...lines].map((line) => `${line}\r\n`).join("");
    const made = page("200 OK", () => text);
    return () => ({ ...made(), contentType: "text/csv; charset=utf-8" });
  };

  /** The key is shown in this answer only. */
  readonly makeKey = (signed: Signed, { field }: Posted): Promise<Made> =>
    this.#fresh(signed, async () => {
      const env = field("env") === "test" ? "test" : "live";
      const draft = { env, name: field("name") } as const;
      const made = await this.#options.signIn.addKey(signed, onceOf(field), draft);
      return await this.show(signed, this.#shown(made));
    });

  readonly rotateKey = (signed: Signed, { field }: Posted): Promise<Made> =>
    this.#fresh(signed, async () => {
      const grace = field("grace");
      if (!GRACE_HOURS.has(grace)) throw new DomainError("invalid_parameter", "no such grace");
      const graceMs = Number(grace) * HOUR_MS;
      const { signIn } = this.#options;
      const made = await signIn.rotateKey(signed, onceOf(field), field("id"), graceMs);
      return await this.show(signed, {
        ...this.#shown(made),
        replacedEndsMs: made.replaced.expiresMs,
      });
    });

  readonly revokeKey = async (signed: Signed, { field }: Posted): Promise<Made> => {
    await this.#options.signIn.revokeKey(signed, field("id"));
    return onward();
  };

  readonly endSession = async ({ account, session }: Signed, { field }: Posted): Promise<Made> => {
    const which = field("session");
    const { signIn, address } = this.#options;
    await signIn.endSessions(account.id, which === "all" ? undefined : which);
    return onward(which === "all" || which === session.hash ? address.session.set("") : "");
  };

  readonly askAddress = (signed: Signed, { field, networks }: Posted): Promise<Made> =>
    this.#fresh(signed, async () => {
      const { signIn, mails } = this.#options;
      const email = field("email");
      const { linksPerHour } = this.#options.asked;
      const asking = { networks, once: onceOf(field), isKnown: false, linksPerHour };
      return await mails.send(email, asking, () =>
        signIn.askAddress(signed.account, email, asking),
      );
    });

  readonly askDeletion = (signed: Signed, { field, networks }: Posted): Promise<Made> =>
    this.#fresh(signed, async () => {
      const { signIn, mails } = this.#options;
      const asking = { networks, once: onceOf(field), isKnown: true };
      const { account } = signed;
      return await mails.send(account.email, asking, () => signIn.askDeletion(account, asking));
    });

  /** A form that is sent again gives the key that it made, which may have ended since. */
  #shown({ key, record }: NewKey): ShownKey {
    if (keysInForce([record], this.#options.clock.nowMs()).length === 0) {
      throw new AccountsRefused("key_ended", "the key has ended");
    }
    return { key, name: record.name };
  }

  async #fresh(signed: Signed, act: () => Promise<Made>): Promise<Made> {
    if (signed.isFresh) return await act();
    const { email } = signed.account;
    return this.askPage("403 Forbidden", { opensAccounts: false, email, problem: NOT_FRESH });
  }

  async #data(signed: Signed, shown: ShownKey | undefined): Promise<AccountData> {
    const { signIn, accounts, jobs, plans, publicUrl, asked, clock, coin } = this.#options;
    const { account, session } = signed;
    const { id } = account;
    const nowMs = clock.nowMs();
    const [usage, keys, sessions, listed, rateUsed] = await Promise.all([
      signIn.admin.usageOf(id),
      signIn.admin.listKeys(id),
      signIn.store.sessionsOf(id, nowMs),
      jobs.list(id, JOBS_SHOWN),
      accounts.rateUsed(id),
    ]);
    return {
      account,
      plan: checkPlan(plans, account.plan),
      allowances: usage.allowances,
      rateUsed,
      calls: usage.endpoints,
      keys: keysInForce(keys, nowMs),
      sessions,
      session: session.hash,
      jobs: listed,
      nowMs,
      once: drawToken(),
      shown,
      coin: coin(),
      publicUrl,
      upgradeUrl: asked.upgradeUrl,
    };
  }
}

/** The token that identifies a form, so that a second post of it does nothing new. */
export function onceOf(field: Posted["field"]): string {
  const once = field("once");
  if (!isToken(once)) throw new DomainError("invalid_parameter", "expected a form of this server");
  return once;
}
