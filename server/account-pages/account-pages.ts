import { AccountsUnavailable } from "../../accounts/accounts.ts";
import { drawToken } from "../../accounts/access-tokens.ts";
import { AccountsRefused } from "../../accounts/refused.ts";
import type { HeldLink, SignIn, Signed } from "../../accounts/sign-in.ts";
import { DomainError } from "../http/errors.ts";
import { parseQuery, type QueryParameters } from "../http/url.ts";
import type { HttpRequest } from "../http/request.ts";
import type { AccountPages } from "../requests/site.ts";
import { renderLink } from "../../web/account/render.tsx";
import { AccountForms, onceOf, type AccountPagesOptions, type Posted } from "./account-forms.ts";
import { LINK_PATH, METHODS_OF } from "./account-paths.ts";
import { deviceOf } from "./device.ts";
import { NOTICES, notice, onward, page, type Made, type Notice } from "./page-replies.ts";

const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:;|$)/i;
const EMAIL_SHOWN_MAX = 254;

type Act = (posted: Posted) => Promise<Made>;

/** The account pages, over HTTP. */
export class AccountSite implements AccountPages {
  readonly #options: AccountPagesOptions;
  readonly #signIn: SignIn;
  readonly #forms: AccountForms;
  readonly #acts: ReadonlyMap<string, Act>;

  constructor(options: AccountPagesOptions) {
    this.#options = options;
    this.#signIn = options.signIn;
    const forms = new AccountForms(options);
    this.#forms = forms;
    const show = (signed: Signed) => forms.show(signed);
    const own =
      (act: (signed: Signed, posted: Posted) => Promise<Made>, otherwise?: () => Made): Act =>
      (posted) =>
        this.#signed(posted, act, otherwise);
    this.#acts = new Map<string, Act>([
      ["GET /account", own(show, () => forms.askPage("200 OK"))],
      ["GET /pricing", async () => forms.pricingPage()],
      ["POST /account/sign-in", (posted) => this.#ask(posted)],
      [`GET ${LINK_PATH}`, (posted) => this.#showLink(posted)],
      [`POST ${LINK_PATH}`, (posted) => this.#useLink(posted)],
      ["GET /account/usage.csv", own(forms.usageFile)],
      ["POST /account/keys", own(forms.makeKey)],
      ["POST /account/keys/rotate", own(forms.rotateKey)],
      ["POST /account/keys/revoke", own(forms.revokeKey)],
      ["POST /account/sessions/end", own(forms.endSession)],
      ["POST /account/address", own(forms.askAddress)],
      ["POST /account/delete", own(forms.askDeletion)],
    ]);
  }

  methods(path: string): readonly string[] | undefined {
    return METHODS_OF.get(path);
  }

  async answer(request: HttpRequest, networks: readonly string[]): Promise<Made> {
    const method = request.method === "POST" ? "POST" : "GET";
    const act = this.#acts.get(`${method} ${request.path}`)!; // `methods` has checked it
    if (method === "POST" && !this.#isFromHere(request)) return this.#say(NOTICES.notOurs);
    try {
      return await act(this.#posted(request, networks));
    } catch (error) {
      if (error instanceof AccountsUnavailable) return this.#say(NOTICES.unavailable);
      if (error instanceof DomainError) return this.#say(NOTICES.badForm);
      if (error instanceof AccountsRefused) return this.#say(refusalOf(error));
      throw error;
    }
  }

  /**
   * Whether a page of this server sent a form. A browser without `Sec-Fetch-Site` is judged by its `Origin`. A request
   * with neither is refused.
   */
  #isFromHere({ fetchSite, origin }: HttpRequest): boolean {
    if (fetchSite !== "") return fetchSite === "same-origin";
    return origin === this.#options.address.origin;
  }

  #posted(request: HttpRequest, networks: readonly string[]): Posted {
    const { session, known: before } = this.#options.address;
    const [cookie, known] = [session.read(request.cookie), before.read(request.cookie)];
    const fields = fieldsOf(request);
    const field = (name: string) => {
      const value = fields[name];
      return typeof value === "string" ? value : "";
    };
    return { request, networks, cookie, known, field };
  }

  async #signed(
    posted: Posted,
    act: (signed: Signed, posted: Posted) => Promise<Made>,
    otherwise: () => Made = onward,
  ): Promise<Made> {
    const signed = await this.#signIn.session(posted.cookie);
    if (signed === undefined) return otherwise();
    posted.request.accountId = signed.account.id;
    return await act(signed, posted);
  }

  async #ask({ field, networks, known }: Posted): Promise<Made> {
    const [email, once] = [field("email"), onceOf(field)];
    try {
      const { linksPerHour } = this.#options.asked;
      const isKnown = await this.#signIn.knows(known, email);
      const asking = { networks, once, isKnown, linksPerHour };
      const make = () => this.#signIn.askSignIn(email, asking);
      return await this.#options.mails.send(email, asking, make);
    } catch (error) {
      if (!(error instanceof AccountsRefused) || error.code !== "bad_email") throw error;
      const problem = "This is not an e-mail address. Only ASCII characters can be used.";
      return this.#forms.askPage("400 Bad Request", {
        email: email.slice(0, EMAIL_SHOWN_MAX),
        problem,
      });
    }
  }

  /** Opening a link changes nothing, because programs that read mail do it. */
  async #showLink({ field, cookie }: Posted): Promise<Made> {
    const token = field("token");
    const held = await this.#signIn.look(token);
    if (held === undefined) {
      const signed = await this.#signIn.session(cookie);
      const isOwn = signed && (await this.#signIn.wasFor(token, signed.account.id));
      return isOwn === true ? onward() : this.#say(NOTICES.noLink);
    }
    const once = drawToken();
    const { about } = this.#options;
    return page("200 OK", () => renderLink({ about: about(), ...held, token, once }));
  }

  async #useLink(posted: Posted): Promise<Made> {
    const token = posted.field("token");
    const held = await this.#signIn.look(token);
    if (held?.purpose === "change_address") return await this.#move(token, held, posted);
    if (held?.purpose === "delete_account") return await this.#delete(token);
    const done = await this.#signIn.doneBy(token);
    if (done === "change_address") return this.#say(NOTICES.moved);
    if (done === "delete_account") return this.#say(NOTICES.deleted);
    return await this.#enter(token, posted);
  }

  async #enter(token: string, posted: Posted): Promise<Made> {
    const { request, cookie: before, networks, field } = posted;
    const browser = { device: deviceOf(request.userAgent), cookie: before, networks };
    const {
      outcome,
      cookie,
      email = "",
    } = await this.#signIn.signIn(token, onceOf(field), browser);
    const { session, known } = this.#options.address;
    if (outcome === "signed_in") {
      return onward(session.set(cookie) + known.set(await this.#signIn.knownCookie(email)));
    }
    return this.#say(outcome === "used" ? NOTICES.noLink : NOTICES[outcome]);
  }

  /** The new address may be a stranger's by a typing error, so the owner must be signed in to confirm it. */
  async #move(token: string, { accountId }: HeldLink, { cookie }: Posted): Promise<Made> {
    const signed = await this.#signIn.session(cookie);
    if (signed?.account.id !== accountId || !signed.isFresh) return this.#say(NOTICES.notOwner);
    const moved = await this.#signIn.changeAddress(token);
    if (moved === undefined) return this.#say(NOTICES.noLink);
    void this.#options.mails.tellMoved(moved.before.email);
    const others = await this.#signIn.store.sessionsOf(accountId, this.#options.clock.nowMs());
    for (const { hash } of others) {
      if (hash !== signed.session.hash) await this.#signIn.endSessions(accountId, hash);
    }
    const known = await this.#signIn.knownCookie(moved.after.email);
    return this.#say({ ...NOTICES.moved, lines: this.#options.address.known.set(known) });
  }

  async #delete(token: string): Promise<Made> {
    const deleted = await this.#signIn.deleteAccount(token);
    if (deleted === undefined) return this.#say(NOTICES.noLink);
    return this.#say({ ...NOTICES.deleted, lines: this.#options.address.session.set("") });
  }

  #say(words: Notice): Made {
    return notice(this.#options.about, words);
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  bad_name: "The name of a key has at most 60 characters, without line breaks.",
  key_ended: "This key has ended already.",
  no_such_key: "This account has no such key.",
  too_many_keys: "This account has the largest number of keys allowed: revoke one first.",
};

function refusalOf({ code }: AccountsRefused): Notice {
  if (code === "email_taken") return NOTICES.taken;
  const status = "400 Bad Request";
  if (code === "bad_email") {
    return { title: "This is not an e-mail address", sentences: ["Nothing was changed."], status };
  }
  return { title: "Nothing was changed", sentences: [REFUSALS[code] ?? "Try again."], status };
}

/** The fields of a form or a query. Throws DomainError. */
function fieldsOf(request: HttpRequest): QueryParameters {
  const { method, query, body, bodyTooLarge, contentType } = request;
  if (method !== "POST") return parseQuery(query);
  if (bodyTooLarge || (body !== undefined && body.length > 0 && !FORM_TYPE.test(contentType))) {
    throw new DomainError("invalid_parameter", "expected a form");
  }
  return parseQuery(body?.toString("utf8") ?? "");
}
