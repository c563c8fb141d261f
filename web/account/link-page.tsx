import type { VNode } from "preact";
import { Page, type PageSource } from "../layout.tsx";
import { minuteOf } from "./words.ts";

interface LinkProps {
  readonly about: PageSource;
  readonly purpose: "sign_in" | "change_address" | "delete_account";
  readonly address: string;
  readonly askedMs: number;
  readonly token: string;
  readonly once: string;
}

const WORDS = {
  sign_in: ["Sign in", "Sign in", "The button signs this browser in for 30 days."],
  change_address: [
    "Change the address",
    "Use this address",
    "The button makes this the address of your account.",
  ],
  delete_account: [
    "Delete the account",
    "Delete the account now",
    "The button deletes the account with its keys, sessions, jobs and results, at once and for good. It does not end a plan that you pay for: write to the operator.",
  ],
} as const;

/** The page that a link in a mail opens. Only its button acts, so that programs that open links do no harm. */
export function LinkPage({ about, purpose, address, askedMs, token, once }: LinkProps): VNode {
  const [title, label, what] = WORDS[purpose];
  return (
    <Page title={title} description={title} path="/account" about={about}>
      <h1>{title}</h1>
      <form class="card account-form" method="post" action="/account/link">
        <dl class="facts">
          <dt>Address</dt>
          <dd>{address}</dd>
          <dt>Requested</dt>
          <dd>{minuteOf(askedMs)}</dd>
        </dl>
        <p>{what}</p>
        <input type="hidden" name="token" value={token} />
        <input type="hidden" name="once" value={once} />
        <button type="submit" class={purpose === "delete_account" ? "danger" : undefined}>
          {label}
        </button>
        <p class="hint">If you did not ask for this, close this page: nothing happens.</p>
      </form>
    </Page>
  );
}
