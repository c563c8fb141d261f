import { drawToken } from "../../../accounts/access-tokens.ts";
import type { LinkRefusal } from "../../../accounts/access-rules.ts";
import type { Asking } from "../../../accounts/shares.ts";
import { SignIn, type MadeLink, type Signed } from "../../../accounts/sign-in.ts";
import type { AccountsBench } from "./bench.ts";

export const NO_BROWSER = { device: "Firefox on Linux", cookie: "", networks: [] };

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

/** A form from a network, which is the only one of its site and its provider. */
export function asking(network = "", isKnown = false): Asking {
  return { networks: network === "" ? [] : widthsOf(network), once: drawToken(), isKnown };
}

export function widthsOf(
  network: string,
  site = `site of ${network}`,
  provider = `provider of ${site}`,
): readonly string[] {
  return [network, site, provider];
}

/** A link that must have been made. */
export function made(asked: MadeLink | LinkRefusal): MadeLink {
  if (typeof asked === "string") throw new Error(`no link: ${asked}`);
  return asked;
}

/** The token of the link that is sent; "" if none is sent. */
export async function linkTo(signIn: SignIn, email: string, network = ""): Promise<string> {
  const asked = await signIn.askSignIn(email, asking(network));
  return typeof asked === "string" ? "" : asked.token;
}

export async function signedIn(signIn: SignIn, email: string): Promise<Signed> {
  const { cookie } = await signIn.signIn(await linkTo(signIn, email), drawToken(), NO_BROWSER);
  return (await signIn.session(cookie))!; // the link held
}

export async function outcomeOf(
  signIn: SignIn,
  token: string,
  networks: readonly string[] = [],
): Promise<string> {
  return (await signIn.signIn(token, drawToken(), { ...NO_BROWSER, networks })).outcome;
}
