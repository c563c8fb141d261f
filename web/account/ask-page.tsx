import type { VNode } from "preact";
import { Page, type PageSource } from "../layout.tsx";

interface AskProps {
  readonly about: PageSource;
  /** The token that the form sends. */
  readonly once: string;
  /** Whether signing in with an address that has no account opens one. */
  readonly opensAccounts: boolean;
  /** The reason why the form is shown again. */
  readonly problem?: string | undefined;
  readonly email?: string | undefined;
  readonly trial: { readonly calls: number; readonly days: number };
}

/** `/account` for a browser that is not signed in: the form that asks for an address. */
export function AskPage(props: AskProps): VNode {
  const { about, opensAccounts, problem, trial } = props;
  const title = opensAccounts ? "Get a key" : "Sign in";
  return (
    <Page title={title} description="Your account and your API keys." path="/account" about={about}>
      <h1>{title}</h1>
      <p class="lead">
        {opensAccounts
          ? `Your address is all it takes. ${trial.calls.toLocaleString("en-US")} calls in ${trial.days} days are free, and there is no password to remember.`
          : "Your account, your keys and what they used. New accounts are opened by the operator."}
      </p>
      {problem !== undefined && (
        <p class="fault" role="alert">
          {problem}
        </p>
      )}
      <p>
        <a href="/pricing">Plans and prices</a>
      </p>
      <div class="two even ask">
        <AskForm {...props} />
        <ol class="steps">
          <li>You get a mail with a link that works for 15 minutes.</li>
          <li>
            Its button signs you in{opensAccounts && ", and opens your account if you have none"}.
          </li>
          <li>You make a key and send a first request with it from the same page.</li>
        </ol>
      </div>
    </Page>
  );
}

function AskForm({ once, email = "", problem }: AskProps): VNode {
  return (
    <form class="card account-form" method="post" action="/account/sign-in">
      <label class="field">
        E-mail address
        <input
          type="email"
          name="email"
          required
          autocomplete="email"
          maxLength={254}
          defaultValue={email}
          aria-invalid={problem === undefined ? undefined : "true"}
        />
      </label>
      <input type="hidden" name="once" value={once} />
      <button type="submit">Send me a link</button>
      <p class="hint">Have an account? This signs you in. The address is used for nothing else.</p>
    </form>
  );
}
