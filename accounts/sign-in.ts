import {
  isWithin,
  type AccessRules,
  type LinkRefusal,
  type SignInOutcome,
} from "./access-rules.ts";
import { DONE, LINK_MS, type LinkPurpose, type Session, type StoredLink } from "./records.ts";
import {
  drawToken,
  hashToken,
  isToken,
  keyBytes,
  seal,
  sessionToken,
  unseal,
  addressHash,
  keyedHash,
} from "./access-tokens.ts";
import type { Admin } from "./accounts-admin.ts";
import type { AccountRecord, NewKey, RotatedKey } from "./admin.ts";
import { drawAccountId, type KeyDraft } from "./admin-rules.ts";
import { checkEmail, emailIdentity } from "./email.ts";
import { TRIAL } from "./plans.ts";
import { AccountsRefused } from "./refused.ts";
import { sharesOfLink, sharesOfTrial, type Asking } from "./shares.ts";

/** A session younger than this may change the address, delete the account and make keys. */
export const FRESH_MS = 24 * 3_600_000;

/** A new link, and the stored address that it goes to. */
export interface MadeLink {
  readonly purpose: LinkPurpose;
  readonly token: string;
  readonly address: string;
  /** The shares that a mail which was not sent gives back. */
  readonly back: readonly string[];
}

/** A valid link. */
export interface HeldLink {
  readonly purpose: LinkPurpose;
  readonly accountId: string | null;
  readonly address: string;
  readonly askedMs: number;
}

/** Signs people in by links to their addresses. No answer reveals whether an address has an account. */
export class SignIn {
  readonly admin: Admin;
  readonly store: AccessRules;
  readonly #nowMs: () => number;
  readonly #opensAccounts: boolean;

  /**
   * `admin` records its changes as those of the page. `opensAccounts`: whether signing in with an address that has no
   * account opens one.
   */
  constructor({
    store,
    admin,
    nowMs,
    opensAccounts,
  }: {
    readonly store: AccessRules;
    readonly admin: Admin;
    readonly nowMs: () => number;
    readonly opensAccounts: boolean;
  }) {
    this.store = store;
    this.admin = admin;
    this.#nowMs = nowMs;
    this.#opensAccounts = opensAccounts;
  }

  /** A link to sign in, or why none is to be sent. Throws `AccountsRefused` for an invalid address. */
  async askSignIn(typed: string, asking: Asking): Promise<MadeLink | LinkRefusal> {
    const email = checkEmail(typed);
    const account = await this.admin.findAccount(email).catch(goneAccount);
    const address = account?.email ?? email;
    return await this.#make("sign_in", { id: account?.id ?? null, address }, asking);
  }

  /** A link to the new address of an account. */
  askAddress(account: AccountRecord, typed: string, asking: Asking) {
    const address = checkEmail(typed);
    return this.#make("change_address", { id: account.id, address }, asking);
  }

  askDeletion(account: AccountRecord, asking: Asking) {
    return this.#make("delete_account", { id: account.id, address: account.email }, asking);
  }

  /** Call if the mail could not be sent. */
  async withdraw({ token, back }: MadeLink): Promise<void> {
    await this.store.withdrawLink(hashToken(token), back);
  }

  /** The cookie of a browser that has signed in with an address. It lets it ask for links there whatever others do. */
  async knownCookie(email: string): Promise<string> {
    return keyedHash(await this.admin.store.secret(), "browser", emailIdentity(email));
  }

  async knows(cookie: string, email: string): Promise<boolean> {
    return isToken(cookie) && hashToken(cookie) === hashToken(await this.knownCookie(email));
  }

  /** A link; undefined if it is not valid. Looking at it changes nothing. */
  async look(token: string): Promise<HeldLink | undefined> {
    const link = await this.#find(token);
    return link?.usedBy === null ? this.#held(token, link) : undefined;
  }

  /** Whether this is a used link of this account. */
  async wasFor(token: string, accountId: string): Promise<boolean> {
    const link = await this.#find(token);
    return link !== undefined && link.usedBy !== null && link.accountId === accountId;
  }

  /** Signs a browser in. The cookie is the same for every press of a form's button. */
  async signIn(
    token: string,
    once: string,
    browser: {
      readonly device: string;
      readonly cookie: string;
      readonly networks: readonly string[];
    },
  ): Promise<{
    readonly outcome: SignInOutcome;
    readonly cookie: string;
    readonly email?: string;
  }> {
    const cookie = sessionToken(token, once);
    const link = await this.#find(token);
    // A link of an account that has left the address no longer has the address.
    if (link?.purpose !== "sign_in" || link.sealed === "") return { outcome: "used", cookie };
    const { address: email } = this.#held(token, link);
    const nowMs = this.#nowMs();
    const row = { id: drawAccountId(), email, plan: TRIAL, createdMs: nowMs, suspendedMs: null };
    const secret = await this.admin.store.secret();
    const outcome = await this.store.signIn({
      who: "page",
      nowMs,
      link: hashToken(token),
      email,
      former: addressHash(secret, email),
      session: { hash: hashToken(cookie), device: browser.device },
      replaces: browser.cookie === "" ? undefined : hashToken(browser.cookie),
      opens: this.#opensAccounts ? row : undefined,
      shares: sharesOfTrial((text) => keyedHash(secret, "share", text), email, browser.networks),
    });
    return { outcome, cookie, email };
  }

  /** Changes an account's address to that of the link. Returns the account before and after; undefined if not changed. */
  async changeAddress(token: string) {
    return await this.#use(token, "change_address", async (account, { address }, link) => {
      return { before: account, after: await this.admin.changeAddress(account.id, address, link) };
    });
  }

  /** Deletes the link's account, unless its address has changed since. */
  async deleteAccount(token: string): Promise<AccountRecord | undefined> {
    return await this.#use(token, "delete_account", async (account, { address }, link) => {
      if (emailIdentity(account.email) !== emailIdentity(address)) return undefined;
      return await this.admin.deleteAccount(account.id, link);
    });
  }

  /** The purpose of a link that was used to change or delete an account: its button was pressed a second time. */
  async doneBy(token: string): Promise<LinkPurpose | undefined> {
    const link = await this.#find(token);
    return link?.usedBy === DONE ? link.purpose : undefined;
  }

  /** The session of a cookie, with its account. */
  async session(cookie: string): Promise<Signed | undefined> {
    if (!isToken(cookie)) return undefined;
    const nowMs = this.#nowMs();
    const session = await this.store.findSession(hashToken(cookie), nowMs);
    if (session === undefined) return undefined;
    const account = await this.admin.findAccount(session.accountId).catch(goneAccount);
    if (account === undefined || account.suspendedMs !== null) return undefined;
    return { session, account, cookie, isFresh: isWithin(FRESH_MS, session.createdMs, nowMs) };
  }

  async endSessions(accountId: string, hash?: string): Promise<void> {
    await this.store.endSessions(accountId, hash, { who: "page", nowMs: this.#nowMs() });
  }

  /** Adds a key. A form posted twice adds one key. */
  addKey({ account, cookie }: Signed, once: string, draft: Omit<KeyDraft, "accountId">) {
    const random = keyBytes(cookie, `${once} ${draft.env} ${draft.name ?? ""}`);
    return this.admin.addKey({ ...draft, accountId: account.id, random }) satisfies Promise<NewKey>;
  }

  async rotateKey(signed: Signed, once: string, id: string, graceMs: number): Promise<RotatedKey> {
    await this.#ownKey(signed, id);
    const random = keyBytes(signed.cookie, `${once} ${id}`);
    return await this.admin.rotateKey({ id }, graceMs, { random });
  }

  async revokeKey(signed: Signed, id: string): Promise<void> {
    await this.#ownKey(signed, id);
    await this.admin.revokeKey({ id });
  }

  async #ownKey({ account }: Signed, id: string): Promise<void> {
    const keys = await this.admin.listKeys(account.id);
    if (!keys.some((key) => key.id === id)) {
      throw new AccountsRefused("no_such_key", "this account has no such key");
    }
  }

  async #make(
    purpose: LinkPurpose,
    { id, address }: { readonly id: string | null; readonly address: string },
    asking: Asking,
  ): Promise<MadeLink | LinkRefusal> {
    const secret = await this.admin.store.secret();
    const token = drawToken();
    const hash = (text: string) => keyedHash(secret, "share", text);
    const { back, ...shares } = sharesOfLink(hash, purpose, address, asking);
    const [sealed, createdMs] = [seal(token, address), this.#nowMs()];
    const link = { hash: hashToken(token), purpose, accountId: id, sealed, createdMs };
    const made = await this.store.addLink(link, shares);
    return made === "made" ? { purpose, token, address, back } : made;
  }

  async #use<T>(
    token: string,
    purpose: LinkPurpose,
    work: (account: AccountRecord, link: HeldLink, hash: string) => Promise<T>,
  ): Promise<T | undefined> {
    const held = await this.look(token);
    if (held?.purpose !== purpose || held.accountId === null) return undefined;
    const account = await this.admin.findAccount(held.accountId).catch(goneAccount);
    if (account === undefined || account.suspendedMs !== null) return undefined;
    try {
      return await work(account, held, hashToken(token));
    } catch (error) {
      if (error instanceof AccountsRefused && error.code === "link_used") return undefined;
      throw error;
    }
  }

  async #find(token: string): Promise<StoredLink | undefined> {
    if (!isToken(token)) return undefined;
    const link = await this.store.findLink(hashToken(token));
    if (link === undefined || !isWithin(LINK_MS, link.createdMs, this.#nowMs())) return undefined;
    return link;
  }

  #held(token: string, { purpose, accountId, sealed, createdMs }: StoredLink): HeldLink {
    return { purpose, accountId, address: unseal(token, sealed), askedMs: createdMs };
  }
}

/** A browser that is signed in. */
export interface Signed {
  readonly session: Session;
  readonly account: AccountRecord;
  readonly cookie: string;
  /** Whether the session is younger than `FRESH_MS`. */
  readonly isFresh: boolean;
}

function goneAccount(error: unknown): undefined {
  if (error instanceof AccountsRefused && error.code === "no_such_account") return undefined;
  throw error;
}
