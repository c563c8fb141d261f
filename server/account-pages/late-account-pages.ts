/** The pages of accounts before they are loaded: what a start needs to know of them, and no more. */
import type { Logger } from "pino";
import { AccountsUnavailable } from "../redis/accounts-unavailable.ts";
import { DomainError } from "../http/errors.ts";
import type { AccountPages } from "../requests/site.ts";
import { METHODS_OF } from "./account-paths.ts";
import type { openAccountPages, OpenAccountPages } from "./open-account-pages.ts";
import { publicAddressOf } from "./public-address.ts";

/** Why there can be no pages of accounts; undefined if there can be. */
export function accountPagesFault(asked: {
  /** As the operator gave it, or where a server that is this machine's alone listens. */
  readonly publicUrl: string | undefined;
  readonly smtpUrl: string | undefined;
}): string | undefined {
  if (asked.publicUrl === undefined) return "links need the address of this server: --public-url";
  const address = publicAddressOf(asked.publicUrl);
  if (address === undefined)
    return "--public-url must be https: a session could be read on its way";
  if (asked.smtpUrl === undefined && !address.isLoopback)
    return "links go by mail: HINDSIGHT_SMTP_URL";
  return undefined;
}

/** Loads the pages with the first request for one, or before; a failure is not kept. */
export class LateAccountPages implements AccountPages {
  readonly #options: () => Promise<OpenAccountPages>;
  readonly #log: Logger;
  #opening: Promise<ReturnType<typeof openAccountPages>> | undefined;

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

  async #open() {
    const [{ openAccountPages }, options] = await Promise.all([
      import("./open-account-pages.ts"),
      this.#options(),
    ]);
    return openAccountPages(options);
  }
}
