import type { Gate, LinkRefusal, Shares, SignInOutcome } from "./access-rules.ts";
import type { LinkPurpose } from "./records.ts";
import { emailIdentity, mailboxOf } from "./email.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * The most links an hour and new accounts a day. `networks` and `opened` are by width, the narrowest first: a household or
 * a server, a site, a provider. None of them knows whether an address has an account.
 */
export const LINK_LIMITS = {
  /** To an address. Beyond it there is one in each `againMs`, so that a link in force is always in the mailbox. */
  address: 3,
  againMs: 10 * 60_000,
  networks: [10, 20, 60],
  /**
   * Unless the operator names another number. Beyond it, a site gets its first link of the hour alone; beyond ten times
   * as many, only browsers that have signed in before get links.
   */
  all: 200,
  opened: [5, 10, 50],
} as const;

/** For this long after a trial, its mailbox opens no other one. */
const MAILBOX_MS = 30 * DAY_MS;

/** The keyed hash of a text. */
type Hash = (text: string) => string;

/** The origin of a form that asks for a link. */
export interface Asking {
  /** The network of the request in every width, the narrowest first; empty for one without limits. */
  readonly networks: readonly string[];
  /** The form's token. */
  readonly once: string;
  /** Whether the browser has signed in with the address before. */
  readonly isKnown: boolean;
  /** To all strangers, as the operator sets it. */
  readonly linksPerHour?: number | undefined;
}

/** `back` is what a mail that was not sent gives back. The rest counts all the same, since the mail server was asked. */
export function sharesOfLink(
  hash: Hash,
  purpose: LinkPurpose,
  email: string,
  { networks, once, isKnown, linksPerHour = LINK_LIMITS.all }: Asking,
): Shares<LinkRefusal> & { readonly back: readonly string[] } {
  const to = `${emailIdentity(email)} ${isKnown ? "of its own" : ""}`; // strangers use up nothing of those
  const [form, again] = [hash(`form ${once} ${purpose} ${to}`), hash(`again ${purpose} ${to}`)];
  const [address, all] = [hash(`to ${to}`), hash("all")];
  const from = networks.map((network) => hash(`from ${network}`));
  const limits = LINK_LIMITS;
  const others: readonly Gate<LinkRefusal>[] = [
    ...gatesOf<LinkRefusal>("limited_network", from, limits.networks),
    { outcome: "limited_all", full: [[all, linksPerHour], ...full(from.slice(1, 2), [1])] },
    { outcome: "limited_all", full: [[all, 10 * linksPerHour]] },
  ];
  return {
    gates: [
      { outcome: "repeated", full: [[form, 1]] },
      { outcome: "limited_address", full: full([address, again], [limits.address, 1]) },
      ...(isKnown ? [] : others), // and takes nothing from them
    ],
    takes: [
      [again, limits.againMs],
      ...[form, address, ...(isKnown ? [] : [all, ...from])].map(
        (name) => [name, HOUR_MS] as const,
      ),
    ],
    back: [form, again, address],
  };
}

/** An address of the same mailbox opens no second trial, but one that was deleted is opened again. */
export function sharesOfTrial(
  hash: Hash,
  email: string,
  networks: readonly string[],
): Shares<SignInOutcome> {
  const [mailbox, own] = [hash(`mailbox ${mailboxOf(email)}`), hash(`own ${emailIdentity(email)}`)];
  const from = networks.map((network) => hash(`opened ${network}`));
  return {
    gates: [
      { outcome: "mailbox", full: [[mailbox, 1]], unless: own },
      ...gatesOf<SignInOutcome>("limited", from, LINK_LIMITS.opened),
    ],
    takes: [
      ...from.map((name) => [name, DAY_MS] as const),
      ...[mailbox, own].map((name) => [name, MAILBOX_MS] as const),
    ],
  };
}

function gatesOf<Outcome>(outcome: Outcome, names: readonly string[], limits: readonly number[]) {
  return full(names, limits).map((each) => ({ outcome, full: [each] }));
}

/** There is a limit for each name. */
function full(names: readonly string[], limits: readonly number[]) {
  return names.map((name, n) => [name, limits[n]!] as const);
}
