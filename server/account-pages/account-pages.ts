import { AccountsUnavailable } from "../accounts/accounts.ts";
import { drawToken, isToken } from "../accounts/access-tokens.ts";
import { AccountsRefused } from "../accounts/refused.ts";
import type { HeldLink, SignIn, Signed } from "../accounts/sign-in.ts";
import { DomainError } from "../http/errors.ts";
import { parseQuery, type QueryParameters } from "../http/url.ts";
import type { HttpRequest } from "../http/request.ts";
import type { AccountPages } from "../requests/site.ts";
import { renderAsk, renderLink } from "../../web/account/render.tsx";
import { sendLink, type AccountPagesOptions, type Posted } from "./account-context.ts";
import { AccountForms } from "./account-forms.ts";
import { deviceOf } from "./device.ts";
import { LINK_PATH, METHODS_OF } from "./account-paths.ts";
import { NOTICES, notice, onward, page, type Made, type Notice } from "./page-replies.ts";

const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:;|$)/i;
const BAD_FORM: Notice = {
  title: "This form cannot be read",
  sentences: ["Send it from the account page."],
  status: "400 Bad Request",
};

type Act = (posted: Posted) => Promise<Made>;
/** What a path does, by method. */
interface Route {
  readonly GET?: Act;
  readonly POST?: Act;
}

/** The pages of accounts, over HTTP. */
export class AccountSite implements AccountPages {
  readonly #options: AccountPagesOptions;
  readonly #signIn: SignIn;
  readonly #routes: ReadonlyMap<string, Route>;

  constructor(options: AccountPagesOptions) {
    this.#options = options;
    this.#signIn = options.signIn;
    const forms = new AccountForms(options);
    const show = (signed: Signed) => forms.show(signed);
    const own = (act: (signed: Signed, posted: Posted) => Promise<Made>) => ({
      POST: (posted: Posted) => this.#signed(posted, act),
    });
    this.#routes = new Map<string, Route>([
      ["/account", { GET: (posted: Posted) => this.#signed(posted, show, () => this.#askPage()) }],
      ["/account/sign-in", { POST: (posted: Posted) => this.#ask(posted) }],
      [
        LINK_PATH,
        {
          GET: (posted: Posted) => this.#showLink(posted),
          POST: (posted: Posted) => this.#useLink(posted),
        },
      ],
      ["/account/usage.csv", { GET: (posted: Posted) => this.#signed(posted, forms.usageFile) }],
      ["/account/keys", own(forms.makeKey)],
      ["/account/keys/rotate", own(forms.rotateKey)],
      ["/account/keys/revoke", own(forms.revokeKey)],
      ["/account/sessions/end", own(forms.endSession)],
      ["/account/address", own(forms.askAddress)],
      ["/account/delete", own(forms.askDeletion)],
    ]);
  }

  methods(path: string): readonly string[] | undefined {
    return METHODS_OF.get(path);
  }

  async answer(request: HttpRequest, network: string): Promise<Made> {
    const method = request.method === "POST" ? "POST" : "GET";
    const act = this.#routes.get(request.path)![method]!; // `methods` has said so
    if (method === "POST" && !this.#isFromHere(request)) return this.#say(NOTICES.notOurs);
    try {
      return await act(this.#posted(request, network));
    } catch (error) {
      if (error instanceof AccountsUnavailable) return this.#say(NOTICES.unavailable);
      if (error instanceof DomainError) return this.#say(BAD_FORM);
      if (error instanceof AccountsRefused) return this.#say(refusalOf(error));
      throw error;
    }
  }

  /**
   * Whether a page of this server has sent a form. Browsers say so, those without `Sec-Fetch-Site` by the origin; what says
   * neither is no browser.
   */
  #isFromHere({ fetchSite, origin }: HttpRequest): boolean {
    if (fetchSite !== "") return fetchSite === "same-origin";
    return origin === this.#options.address.origin;
  }

  #posted(request: HttpRequest, network: string): Posted {
    const cookie = this.#options.address.readCookie(request.cookie);
    const fields = fieldsOf(request);
    const field = (name: string) => {
      const value = fields[name];
      return typeof value === "string" ? value : "";
    };
    return { request, network, cookie, field };
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

  #askPage(again: { readonly email?: string; readonly problem?: string } = {}): Made {
    const { about, opensAccounts, trial } = this.#options;
    const status = again.problem === undefined ? "200 OK" : "400 Bad Request";
    const once = drawToken();
    return page(status, () => renderAsk({ about: about(), once, opensAccounts, trial, ...again }));
  }

  async #ask(posted: Posted): Promise<Made> {
    const [email, once] = [posted.field("email"), posted.field("once")];
    if (!isToken(once)) return this.#say(BAD_FORM);
    try {
      const { network } = posted;
      const link = await this.#signIn.askSignIn(email, { network, once });
      return await sendLink(this.#options, link, email);
    } catch (error) {
      if (!(error instanceof AccountsRefused) || error.code !== "bad_email") throw error;
      const problem = "This is no e-mail address. Only letters of ASCII can be used.";
      return this.#askPage({ email: email.slice(0, SHOWN_MAX), problem });
    }
  }

  /** Looking at a link changes nothing: programs that read mail do it. */
  async #showLink(posted: Posted): Promise<Made> {
    const token = posted.field("token");
    const held = await this.#signIn.look(token);
    if (held === undefined) {
      const signed = await this.#signIn.session(posted.cookie);
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

  async #enter(token: string, { request, cookie: before, field }: Posted): Promise<Made> {
    const once = field("once");
    if (!isToken(once)) return this.#say(BAD_FORM);
    const browser = { device: deviceOf(request.userAgent), cookie: before };
    const { outcome, cookie } = await this.#signIn.signIn(token, once, browser);
    switch (outcome) {
      case "signed_in":
        return onward(this.#options.address.setCookie(cookie));
      case "used":
        return this.#say(NOTICES.noLink);
      case "closed":
      case "limited":
      case "suspended":
        return this.#say(NOTICES[outcome]);
    }
  }

  /** An address that was mistyped is a stranger's: the owner has to be signed in where the button is pressed. */
  async #move(token: string, { accountId }: HeldLink, { cookie }: Posted): Promise<Made> {
    const signed = await this.#signIn.session(cookie);
    if (signed?.account.id !== accountId || !signed.isFresh) return this.#say(NOTICES.notOwner);
    const moved = await this.#signIn.changeAddress(token);
    if (moved === undefined) return this.#say(NOTICES.noLink);
    void this.#options.mails.tellMoved(moved.before.email);
    return this.#say(NOTICES.moved);
  }

  async #delete(token: string): Promise<Made> {
    const deleted = await this.#signIn.deleteAccount(token);
    if (deleted === undefined) return this.#say(NOTICES.noLink);
    return this.#say({ ...NOTICES.deleted, lines: this.#options.address.setCookie("") });
  }

  #say(words: Notice): Made {
    return notice(this.#options.about, words);
  }
}

const SHOWN_MAX = 254;

function refusalOf({ code }: AccountsRefused): Notice {
  if (code === "email_taken") return NOTICES.taken;
  if (code === "bad_email") {
    return { ...BAD_FORM, title: "This is no e-mail address", sentences: ["Nothing was changed."] };
  }
  const words: Readonly<Record<string, string>> = {
    bad_name: "The name of a key has at most 60 characters, without line breaks.",
    key_ended: "This key has ended already.",
    no_such_key: "This account has no such key.",
    too_many_keys: "This account has as many keys as there may be: revoke one first.",
  };
  return { ...BAD_FORM, title: "Nothing was changed", sentences: [words[code] ?? "Try again."] };
}

/** The fields of a form or a query. Throws DomainError. */
function fieldsOf({
  method,
  query,
  body,
  bodyTooLarge,
  contentType,
}: HttpRequest): QueryParameters {
  if (method !== "POST") return parseQuery(query);
  if (bodyTooLarge || (body !== undefined && body.length > 0 && !FORM_TYPE.test(contentType))) {
    throw new DomainError("invalid_parameter", "expected a form");
  }
  return parseQuery(body?.toString("utf8") ?? "");
}
