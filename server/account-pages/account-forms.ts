import { drawToken, isToken } from "../accounts/access-tokens.ts";
import type { NewKey } from "../accounts/admin.ts";
import { usageCsv } from "./calls-csv.ts";
import type { Signed } from "../accounts/sign-in.ts";
import { DomainError } from "../http/errors.ts";
import { renderAccount, renderAsk } from "../../web/account/render.tsx";
import type { ShownKey } from "../../web/account/account-data.ts";
import { accountDataOf } from "./account-data.ts";
import { sendLink, type AccountPagesOptions, type Posted } from "./account-context.ts";
import { onward, page, type Made } from "./page-replies.ts";

const HOUR_MS = 3_600_000;
/** For how many hours a replaced key may still hold. */
const GRACE_HOURS = new Set(["0", "1", "24", "168"]);

const NOT_FRESH =
  "Keys, the address and the account itself are changed only within 24 hours of signing in. Nothing was changed: sign in once more.";

/** What a browser that is signed in asks for. */
export class AccountForms {
  readonly #options: AccountPagesOptions;

  constructor(options: AccountPagesOptions) {
    this.#options = options;
  }

  async show(signed: Signed, shown?: ShownKey): Promise<Made> {
    const { about, coin } = this.#options;
    const form = { once: drawToken(), shown, coin: coin() };
    const data = await accountDataOf(this.#options, signed, form);
    return page("200 OK", () => renderAccount({ about: about(), data }));
  }

  readonly usageFile = async ({ account }: Signed): Promise<Made> => {
    const { endpoints } = await this.#options.signIn.admin.usageOf(account.id);
    const made = page("200 OK", () => usageCsv(endpoints));
    return () => ({ ...made(), contentType: "text/csv; charset=utf-8" });
  };

  /** The key is in this answer and nowhere else. */
  readonly makeKey = (signed: Signed, { field }: Posted): Promise<Made> =>
    this.#fresh(signed, async () => {
      const env = field("env") === "test" ? "test" : "live";
      const draft = { env, name: field("name") } as const;
      const made = await this.#options.signIn.addKey(signed, onceOf(field), draft);
      return await this.show(signed, shownOf(made));
    });

  readonly rotateKey = (signed: Signed, { field }: Posted): Promise<Made> =>
    this.#fresh(signed, async () => {
      const grace = field("grace");
      if (!GRACE_HOURS.has(grace)) throw new DomainError("invalid_parameter", "no such grace");
      const graceMs = Number(grace) * HOUR_MS;
      const { signIn } = this.#options;
      const made = await signIn.rotateKey(signed, onceOf(field), field("id"), graceMs);
      return await this.show(signed, { ...shownOf(made), replacedEndsMs: made.replaced.expiresMs });
    });

  readonly revokeKey = async (signed: Signed, { field }: Posted): Promise<Made> => {
    await this.#options.signIn.revokeKey(signed, field("id"));
    return onward();
  };

  readonly endSession = async (signed: Signed, { field }: Posted): Promise<Made> => {
    const which = field("session");
    const { signIn } = this.#options;
    await signIn.endSessions(signed.account.id, which === "all" ? undefined : which);
    const isOwn = which === "all" || which === signed.session.hash;
    return onward(isOwn ? this.#options.address.setCookie("") : "");
  };

  readonly askAddress = (signed: Signed, { field, network }: Posted): Promise<Made> =>
    this.#fresh(signed, async () => {
      const { signIn } = this.#options;
      const email = field("email");
      const asking = { network, once: onceOf(field) };
      const link = await signIn.askAddress(signed.account, email, asking);
      return await sendLink(this.#options, link, email);
    });

  readonly askDeletion = (signed: Signed, { field, network }: Posted): Promise<Made> =>
    this.#fresh(signed, async () => {
      const { signIn } = this.#options;
      const link = await signIn.askDeletion(signed.account, { network, once: onceOf(field) });
      return await sendLink(this.#options, link, signed.account.email);
    });

  async #fresh(signed: Signed, act: () => Promise<Made>): Promise<Made> {
    if (signed.isFresh) return await act();
    const { about, trial } = this.#options;
    const { email } = signed.account;
    const form = { once: drawToken(), opensAccounts: false, email, problem: NOT_FRESH, trial };
    return page("403 Forbidden", () => renderAsk({ about: about(), ...form }));
  }
}

function onceOf(field: Posted["field"]): string {
  const once = field("once");
  if (!isToken(once)) throw new DomainError("invalid_parameter", "expected a form of this server");
  return once;
}

function shownOf({ key, record: { name } }: NewKey): ShownKey {
  return { key, name };
}
