import { setTimeout as sleep } from "node:timers/promises";
import type { MadeLink, SignIn } from "../accounts/sign-in.ts";
import type { PageSource } from "../../web/layout.tsx";
import { letterOf, movedLetter } from "../mail/letters.ts";
import type { Delivery, Mailer } from "../mail/mailer.ts";
import { LINK_PATH } from "./account-paths.ts";
import { NOTICES, notice, type Made } from "./page-replies.ts";

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
}

/** Sends links by mail. Where no link is to be sent, the answer is the same and takes as long. */
export class LinkMails {
  readonly #options: LinkMailOptions;
  /** The outcome and time of the last mail, which answers without a mail imitate. */
  #last: { readonly delivery: Delivery; readonly ms: number } = { delivery: "sent", ms: 0 };

  constructor(options: LinkMailOptions) {
    this.#options = options;
  }

  /**
   * Sends a link, if there is one to send. The answer is the same for every address: with and without an account,
   * suspended, and beyond a limit.
   */
  async send(link: MadeLink | undefined, email: string): Promise<Made> {
    const { about, mailer } = this.#options;
    const delivery = await this.#send(link);
    if (delivery === "failed") return notice(about, NOTICES.notSent);
    if (delivery === "refused") return notice(about, NOTICES.refused);
    const sentences =
      mailer === undefined
        ? ["This server runs on this machine and sends no mail: the link is in its log."]
        : [
            `A mail is on its way to ${email.trim()}. Its link works for 15 minutes.`,
            "Nothing came? Look in your spam folder, then ask again: three times an hour at most.",
          ];
    return notice(about, { title: "Look at your mail", sentences });
  }

  /** Tells the old address that its account has another one. A failure to send changes nothing. */
  async tellMoved(address: string): Promise<void> {
    const { mailer, publicUrl } = this.#options;
    await mailer?.send(address, movedLetter(publicUrl));
  }

  /** A link whose mail fails is withdrawn. */
  async #send(link: MadeLink | undefined): Promise<Delivery> {
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

  async #deliver({ purpose, token, address }: MadeLink): Promise<Delivery> {
    const { mailer, print, publicUrl } = this.#options;
    const link = `${publicUrl}${LINK_PATH}?token=${token}`;
    if (mailer !== undefined) return await mailer.send(address, letterOf(purpose, link));
    print(link);
    return "sent";
  }
}
