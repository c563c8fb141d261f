import { isLoopback as isLoopbackHost } from "../http/url.ts";

const SESSION_SECONDS = 30 * 86_400;
/** The longest that browsers keep a cookie. */
const KNOWN_SECONDS = 400 * 86_400;

interface Cookie {
  /** The header line that sets it, or with "" deletes it. */
  set(value: string): string;
  /** Its value in a `Cookie` header; "" if there is none, or more than one. */
  read(header: string): string;
}

/** The public address and its cookies, which follow the address whatever the proxy in front speaks. */
export interface PublicAddress {
  readonly origin: string;
  readonly isLoopback: boolean;
  readonly session: Cookie;
  /** Stays when a session ends, and says with which address the browser has signed in. */
  readonly known: Cookie;
}

/** Undefined for plain http on any host but loopback, where others could read the cookie. */
export function publicAddressOf(publicUrl: string): PublicAddress | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isSecure = protocol === "https:";
  const isLoopback = isLoopbackHost(hostname);
  if (!isSecure && !isLoopback) return undefined;
  const session = cookieOf("hs", SESSION_SECONDS, isSecure);
  return { origin, isLoopback, session, known: cookieOf("hs-known", KNOWN_SECONDS, isSecure) };
}

function cookieOf(name: string, seconds: number, isSecure: boolean): Cookie {
  const start = `${isSecure ? "__Host-" : ""}${name}=`;
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return {
    set: (value) =>
      `\r\nSet-Cookie: ${start}${value}; Max-Age=${value === "" ? 0 : seconds}${attributes}`,
    read(header) {
      const found = header.split(/; */).filter((pair) => pair.startsWith(start));
      return found.length === 1 ? found[0]!.slice(start.length) : "";
    },
  };
}
