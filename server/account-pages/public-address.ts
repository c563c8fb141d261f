import { isLoopback as isLoopbackHost } from "../http/url.ts";

const COOKIE_SECONDS = 30 * 86_400;

/** What the address that browsers use says about cookies; the proxy in front may speak whatever it likes. */
export interface PublicAddress {
  readonly origin: string;
  readonly isLoopback: boolean;
  /** The line that sets the cookie of a session, or takes it away. */
  setCookie(value: string): string;
  /** The cookie's value in a `Cookie` header; "" if there is none, or more than one. */
  readCookie(header: string): string;
}

/** Undefined where a cookie could be read on its way: on http that is not this machine's. */
export function publicAddressOf(publicUrl: string): PublicAddress | undefined {
  const { protocol, hostname, origin } = new URL(publicUrl);
  const isSecure = protocol === "https:";
  const isLoopback = isLoopbackHost(hostname);
  if (!isSecure && !isLoopback) return undefined;
  const name = isSecure ? "__Host-hs" : "hs";
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return {
    origin,
    isLoopback,
    setCookie(value) {
      const seconds = value === "" ? 0 : COOKIE_SECONDS;
      return `\r\nSet-Cookie: ${name}=${value}; Max-Age=${seconds}${attributes}`;
    },
    readCookie(header) {
      const start = `${name}=`;
      const found = header.split(/; */).filter((pair) => pair.startsWith(start));
      return found.length === 1 ? found[0]!.slice(start.length) : "";
    },
  };
}
