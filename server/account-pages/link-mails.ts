import { setTimeout as sleep } from "node:timers/promises";
import type { MadeLink, SignIn } from "../accounts/sign-in.ts";
import { LINK_PATH } from "./account-paths.ts";
import { letterOf, movedLetter } from "../mail/letters.ts";
import type { Delivery, Mailer } from "../mail/mailer.ts";

export interface LinkMailOptions {
  readonly signIn: SignIn;
  /** Undefined on this machine without a mail server: links are printed then. */
  readonly mailer: Mailer | undefined;
  /** Prints a link where there is no mailer. */
  readonly print: (link: string) => void;
  /** Links begin with it, and never with what a request says. */
  readonly publicUrl: string;
  /** The least that an answer takes, so that it does not tell whether there was a mail. */
  readonly answerMs: number;
}

/** Sends links, and takes as long where none is to be sent. */
export class LinkMails {
  readonly #options: LinkMailOptions;
  /** How the last mail went: what is said and how long it takes where none is sent. */
  #last: { readonly delivery: Delivery; readonly ms: number } = { delivery: "sent", ms: 0 };

  constructor(options: LinkMailOptions) {
    this.#options = options;
  }

  get sendsMail(): boolean {
    return this.#options.mailer !== undefined;
  }

  /** Sends a link if one is to be sent. A mail that could not be sent leaves nothing behind. */
  async send(link: MadeLink | undefined): Promise<Delivery> {
    const { signIn, answerMs } = this.#options;
    const startedMs = performance.now();
    if (link === undefined) {
      await sleep(Math.max(answerMs, this.#last.ms));
      return this.#last.delivery === "refused" ? "sent" : this.#last.delivery;
    }
    const delivery = await this.#deliver(link);
    const ms = performance.now() - startedMs;
    this.#last = { delivery, ms };
    if (delivery === "failed") await signIn.withdraw(link);
    if (ms < answerMs) await sleep(answerMs - ms);
    return delivery;
  }

  /** Tells an address that its account has left it. What becomes of the mail changes nothing. */
  async tellMoved(address: string): Promise<void> {
    const { mailer, publicUrl } = this.#options;
    await mailer?.send(address, movedLetter(publicUrl));
  }

  async #deliver({ purpose, token, address }: MadeLink): Promise<Delivery> {
    const { mailer, print, publicUrl } = this.#options;
    const link = `${publicUrl}${LINK_PATH}?token=${token}`;
    if (mailer !== undefined) return await mailer.send(address, letterOf(purpose, link));
    print(link);
    return "sent";
  }
}
