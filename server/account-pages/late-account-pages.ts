import type { Logger } from "pino";
import { AccountsUnavailable } from "../redis/accounts-unavailable.ts";
import { DomainError } from "../http/errors.ts";
import type { AccountPages } from "../requests/site.ts";
import { METHODS_OF } from "./account-paths.ts";
import type { OpenAccountPages } from "./account-forms.ts";
import { publicAddressOf } from "./public-address.ts";

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

/** The account pages, whose code is loaded with the first request for one, or by `load`. A failure is tried again. */
export class LateAccountPages implements AccountPages {
  readonly #options: () => Promise<OpenAccountPages>;
  readonly #log: Logger;
  #opening: Promise<AccountPages> | undefined;

  constructor(options: () => Promise<OpenAccountPages>, log: Logger) {
    this.#options = options;
    this.#log = log;
  }

  methods(path: string): readonly string[] | undefined {
    return METHODS_OF.get(path);
  }

  async answer(...asked: Parameters<AccountPages["answer"]>) {
    try {
      return await (await this.load()).answer(...asked);
    } catch (error) {
      if (!(error instanceof AccountsUnavailable)) throw error;
      throw new DomainError("unavailable", "the accounts are out of reach", { cause: error });
    }
  }

  load(): Promise<AccountPages> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      this.#log.warn({ err: error }, "the pages of accounts cannot be opened");
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<AccountPages> {
    const { openAccountPages } = await import("./open-account-pages.ts");
    return openAccountPages(await this.#options());
  }
}
