import { pino } from "pino";
import type { AccountPagesAsked } from "../../server/account-pages/account-forms.ts";
import { openAccountPages } from "../../server/account-pages/open-account-pages.ts";
import { AccessRules, type LinkOutcome } from "../../accounts/access-rules.ts";
import { drawToken } from "../../accounts/access-tokens.ts";
import { plainSource } from "../../server/pages/site.ts";
import { MailBox } from "./mail-box.ts";
import { ServerFixture, TEST_PLANS, type FixtureOptions } from "./server-fixture.ts";

interface Asked extends Partial<AccountPagesAsked> {
  /** Where browsers find the server, if not where it listens. */
  readonly publicUrl?: string;
  /** The least that an answer to a form takes; nothing, in most tests. */
  readonly answerMs?: number;
  readonly server?: FixtureOptions;
}

/** A server with pages of accounts, a mail server, and what was logged. */
export class AccountServer {
  readonly box: MailBox;
  readonly lines: string[] = [];
  /** What became of the forms that asked for a link. */
  readonly outcomes: LinkOutcome[] = [];
  server!: ServerFixture;

  private constructor(box: MailBox) {
    this.box = box;
  }

  static async start(asked: Asked = {}): Promise<AccountServer> {
    const all = new AccountServer(await MailBox.open());
    const log = pino({ level: "debug" }, { write: (line) => void all.lines.push(line) });
    const { publicUrl, answerMs = 0, server, ...rest } = asked;
    all.server = await ServerFixture.start({
      ...server,
      log: server?.log ?? {
        over: (request, reply) =>
          log.debug({ path: request.path, id: request.id, status: reply?.status }),
        defect: (request, error) => log.error({ path: request.path, err: error }),
        outage: () => {},
      },
      accountPages: (fixture, own) =>
        openAccountPages({
          asked: {
            signup: "open",
            smtpUrl: all.box.url,
            mailFrom: undefined,
            upgradeUrl: undefined,
            ...rest,
          },
          store: new AccessRules(fixture.state.records),
          admin: fixture.state.admin,
          clock: fixture.clock,
          accounts: fixture.accounts,
          jobs: fixture.jobs,
          plans: TEST_PLANS,
          publicUrl: publicUrl ?? own,
          about: () => plainSource({ hasAccounts: true }),
          coin: () => "btc",
          log,
          count: (outcome) => all.outcomes.push(outcome),
          answerMs,
        }),
    });
    return all;
  }

  get origin(): string {
    return this.server.origin;
  }

  browser(headers: Record<string, string> = {}): FakeBrowser {
    return new FakeBrowser(this, headers);
  }

  /** A browser that is signed in with an address. */
  async signedIn(email = "ann@example.com"): Promise<FakeBrowser> {
    const browser = this.browser();
    await browser.post("/account/sign-in", { email, once: drawToken() });
    await browser.follow(this.box.link);
    return browser;
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.box.close();
  }
}

/** A browser without scripts: keeps its cookie, and says where its forms come from. */
export class FakeBrowser {
  cookie = "";
  /** The cookie that stays once it has signed in. */
  known = "";
  readonly #all: AccountServer;
  readonly #headers: Record<string, string>;

  constructor(all: AccountServer, headers: Record<string, string>) {
    this.#all = all;
    this.#headers = headers;
  }

  async get(path: string, headers: Record<string, string> = {}): Promise<Response> {
    return await this.#send(path, { headers: { accept: "text/html", ...headers } });
  }

  /** Posts a form as one of this server's pages would. */
  async post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = { "sec-fetch-site": "same-origin" },
  ): Promise<Response> {
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const body = new URLSearchParams(fields).toString();
    return await this.#send(path, { method: "POST", body, headers: { ...type, ...headers } });
  }

  /** Opens a link of a mail and presses its button. */
  async follow(link: string): Promise<Response> {
    const path = link.slice(new URL(link).origin.length);
    const page = await (await this.get(path)).text();
    return await this.post("/account/link", hiddenIn(page));
  }

  /** The hidden fields of the account page's forms. */
  async once(): Promise<string> {
    return hiddenIn(await (await this.get("/account")).text())["once"] ?? "";
  }

  async #send(path: string, init: RequestInit): Promise<Response> {
    const kept = [this.cookie, this.known].filter((each) => each !== "").join("; ");
    const cookie: Record<string, string> = kept === "" ? {} : { cookie: kept };
    const headers = { ...this.#headers, ...cookie, ...(init.headers as Record<string, string>) };
    const answer = await fetch(this.#all.origin + path, { ...init, headers, redirect: "manual" });
    for (const set of answer.headers.getSetCookie()) {
      const value = /=;/.test(set) ? "" : set.slice(0, set.indexOf(";"));
      if (set.startsWith("hs-known=")) this.known = value;
      else this.cookie = value;
    }
    return answer;
  }
}

/** The hidden fields of a page's forms, by name. */
export function hiddenIn(page: string): Record<string, string> {
  const found = page.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g);
  return Object.fromEntries(Array.from(found, ([, name, value]) => [name ?? "", value ?? ""]));
}
