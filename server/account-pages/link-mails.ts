import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { LinkOutcome, LinkRefusal } from "../../accounts/access-rules.ts";
import type { Asking } from "../../accounts/shares.ts";
import type { MadeLink, SignIn } from "../../accounts/sign-in.ts";
import type { PageSource } from "../../web/layout.tsx";
import { NetworkRate } from "../requests/limits.ts";
import { letterOf, movedLetter } from "../../accounts/mail/letters.ts";
import type { Mailer } from "../../accounts/mail/mailer.ts";
import { LINK_PATH } from "./account-paths.ts";
import { NOTICES, notice, type Made } from "./page-replies.ts";

/** Mails under way at once to networks, by width. */
const UNDER_WAY = [2, 4, 8];
/** After so many refusals in a minute, a network is refused without asking the store, which takes a millisecond. */
const REFUSALS_PER_MINUTE = 20;
/** The mails whose time an answer without a mail imitates. */
const RECENT = 20;

interface LinkMailOptions {
  readonly signIn: SignIn;
  /** Undefined on a loopback address without a mail server, where links are printed. */
  readonly mailer: Mailer | undefined;
  readonly print: (link: string) => void;
  readonly about: () => PageSource;
  /** The start of every link. The Host header of a request is never used. */
  readonly publicUrl: string;
  /** The least time an answer takes, so that its time does not tell whether a mail was sent. */
  readonly answerMs: number;
  readonly count: (outcome: LinkOutcome) => void;
  readonly nowMs: () => number;
}

/** Sends links by mail. Where an address gets no other link, the answer is the same and takes as long. */
export class LinkMails {
  readonly #options: LinkMailOptions;
  readonly #recentMs: number[] = [];
  readonly #underWay = new Map<string, number>();
  readonly #refusals = new NetworkRate(REFUSALS_PER_MINUTE);
  #turn = Promise.resolve();

  constructor(options: LinkMailOptions) {
    this.#options = options;
  }

  /**
   * Makes a link and sends it. The answer is the same for every address: with and without an account, suspended, and
   * beyond the limit of the address. Networks beyond their limits get a 429.
   */
  async send(
    email: string,
    { networks, isKnown }: Asking,
    make: () => Promise<MadeLink | LinkRefusal>,
  ): Promise<Made> {
    const { about, mailer, count, nowMs } = this.#options;
    const isBusy = networks.some((name, n) => this.#sharesOf(name) >= UNDER_WAY[n]!); // one for each width
    const isRefused = isBusy || this.#refusals.wait(networks, nowMs()) > 0;
    const outcome =
      isRefused && !isKnown
        ? "limited_network"
        : await this.#counted(networks, () => this.#ask(make));
    if (outcome === "limited_network" && !isRefused) this.#refusals.count(networks);
    count(outcome);
    if (outcome === "failed") return notice(about, NOTICES.notSent);
    if (outcome === "refused") return notice(about, NOTICES.refused);
    if (outcome === "limited_network" || outcome === "limited_all") {
      return notice(about, NOTICES.tooMany);
    }
    const sentences =
      mailer === undefined
        ? ["This server runs on this machine and sends no mail: the link is in its log."]
        : [
            `A mail is on its way to ${email.trim()}. Its link works for 15 minutes.`,
            "After three mails in an hour, an address gets one in ten minutes: the newest that came works. Nothing came? Look in your spam folder.",
          ];
    return notice(about, { title: "Look at your mail", sentences });
  }

  /** Tells the old address that its account has another one. A failure to send changes nothing. */
  async tellMoved(address: string): Promise<void> {
    const { mailer, publicUrl } = this.#options;
    await mailer?.send(address, movedLetter(publicUrl));
  }

  #sharesOf(network: string): number {
    return this.#underWay.get(network) ?? 0;
  }

  /** Counts the networks as under way while something is done. */
  async #counted<T>(networks: readonly string[], work: () => Promise<T>): Promise<T> {
    for (const name of networks) this.#underWay.set(name, this.#sharesOf(name) + 1);
    try {
      return await work();
    } finally {
      for (const name of networks) {
        const left = this.#sharesOf(name) - 1;
        if (left > 0) this.#underWay.set(name, left);
        else this.#underWay.delete(name);
      }
    }
  }

  /** A link whose mail was not sent is withdrawn. */
  async #ask(make: () => Promise<MadeLink | LinkRefusal>): Promise<LinkOutcome> {
    const { signIn, answerMs } = this.#options;
    const startedMs = performance.now();
    const before = this.#turn;
    this.#turn = before.then(() => new Promise((next) => setImmediate(next))); // one in each turn of the event loop
    await before;
    const link = await make();
    if (link === "limited_network" || link === "limited_all") return link;
    if (typeof link === "string") {
      await sleep(Math.max(answerMs, this.#likelyMs()));
      return link;
    }
    const delivery = await this.#deliver(link);
    const ms = performance.now() - startedMs;
    if (delivery === "sent") this.#recentMs.unshift(ms);
    else await signIn.withdraw(link);
    this.#recentMs.splice(RECENT);
    if (ms < answerMs) await sleep(answerMs - ms);
    return delivery === "sent" ? "made" : delivery;
  }

  /** A time between those of two recent mails, drawn, so that it is not that of one of them. */
  #likelyMs(): number {
    const draw = () => this.#recentMs[randomInt(RECENT) % this.#recentMs.length] ?? 0;
    const ms = draw();
    return ms + (draw() - ms) * Math.random();
  }

  async #deliver({ purpose, token, address }: MadeLink) {
    const { mailer, print, publicUrl } = this.#options;
    const link = `${publicUrl}${LINK_PATH}?token=${token}`;
    if (mailer !== undefined) return await mailer.send(address, letterOf(purpose, link));
    print(link);
    return "sent" as const;
  }
}
