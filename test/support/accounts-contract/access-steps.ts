import { drawToken } from "../../../server/accounts/access-tokens.ts";
import { SignIn, type Signed } from "../../../server/accounts/sign-in.ts";
import type { AccountsBench } from "./bench.ts";

export const NO_BROWSER = { device: "Firefox on Linux", cookie: "" };

/** A function that opens the sign-in of another server. */
export function accessSteps(bench: () => AccountsBench) {
  return async (opensAccounts = true): Promise<SignIn> =>
    new SignIn({
      store: await bench().access(),
      admin: (await bench().admin()).as("page"),
      nowMs: () => bench().nowMs,
      opensAccounts,
    });
}

export function asking(network = "") {
  return { network, once: drawToken() };
}

/** The token of the link that is sent; "" if none is sent. */
export async function linkTo(signIn: SignIn, email: string, network = ""): Promise<string> {
  return (await signIn.askSignIn(email, asking(network)))?.token ?? "";
}

export async function signedIn(signIn: SignIn, email: string): Promise<Signed> {
  const { cookie } = await signIn.signIn(await linkTo(signIn, email), drawToken(), NO_BROWSER);
  return (await signIn.session(cookie))!; // the link held
}

export async function outcomeOf(signIn: SignIn, token: string): Promise<string> {
  return (await signIn.signIn(token, drawToken(), NO_BROWSER)).outcome;
}
