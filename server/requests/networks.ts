import { isIP, isIPv4, isIPv6, BlockList } from "node:net";

/** The network that a request without a key comes from. */
export interface Network {
  /**
   * The narrowest first: an IPv4 address, or the first 56 bits of an IPv6 address, which a household or a server has to
   * itself; the /24 or /48 of a site; and of IPv6 the /32 of a provider.
   */
  readonly names: readonly [string, ...string[]];
  /** Whether its requests are limited: not from this machine or a private network, which may be a proxy's. */
  readonly isLimited: boolean;
}

/** 127/8, 10/8, 172.16/12, 192.168/16, 169.254/16, ::1, fc00::/7 and fe80::/10. `BlockList` would take ten times as long. */
const PRIVATE =
  /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.|(?:[0:]*:)?0*1$|f[cd]|fe[89ab])/i;
const GROUPS = 8;

/** Finds the network of a client. The client's address in `X-Forwarded-For` is believed only from the named proxies. */
export class Networks {
  readonly #proxies: BlockList | undefined;

  /** `proxies`: addresses and subnets. */
  constructor(proxies: readonly string[] = []) {
    this.#proxies = proxies.length === 0 ? undefined : blockListOf(proxies);
  }

  /** The network of a request from an address with this `X-Forwarded-For`, which is "" if it has none. */
  networkOf(address: string, forwardedFor: string): Network {
    const proxies = this.#proxies;
    if (proxies === undefined) {
      const client = plainAddress(address);
      return { names: namesOf(client), isLimited: !PRIVATE.test(client) };
    }
    return { names: namesOf(clientOf(proxies, address, forwardedFor)), isLimited: true };
  }
}

/** The last address in the list that is not a proxy's. Anybody may have written what precedes it. */
function clientOf(proxies: BlockList, address: string, forwardedFor: string): string {
  const hops = [...forwardedFor.split(","), address].map((hop) => plainAddress(hop.trim()));
  let client = "";
  for (const hop of hops.toReversed()) {
    if (isIP(hop) === 0) break;
    client = hop;
    if (!isIn(proxies, hop)) break;
  }
  return client;
}

function isIn(list: BlockList, address: string): boolean {
  return isIP(address) !== 0 && list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
}

/** The IPv4 address that is written as one of IPv6 (RFC 4291, 2.5.5.2). Any other text is returned as it is. */
function plainAddress(address: string): string {
  if (!isWrittenAsIpv6(address)) return address;
  const groups = groupsOf(address);
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xff_ff) return address;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".");
}

/** `isIPv6` alone takes a quarter of what a request costs as it arrives. */
function isWrittenAsIpv6(address: string): boolean {
  return address.includes(":") && isIPv6(address);
}

function namesOf(address: string): Network["names"] {
  if (!isWrittenAsIpv6(address)) {
    return [address, `${address.slice(0, address.lastIndexOf(".") + 1)}0/24`];
  }
  const [first, second, third, fourth = 0] = groupsOf(address);
  const bits = [first, second, third, fourth & 0xff_00].map((group = 0) => group.toString(16));
  const [provider, site] = [2, 3].map((groups) => bits.slice(0, groups).join(":"));
  return [`${bits.join(":")}::/56`, `${site}::/48`, `${provider}::/32`];
}

/** The eight numbers of an IPv6 address (RFC 4291, 2.2). */
function groupsOf(address: string): readonly number[] {
  const [before = "", after] = address.split("%")[0]!.split("::"); // split gives at least one part
  const numbers = (part: string) =>
    part.split(":").flatMap((group) => {
      if (group === "") return [];
      const [a, b, c, d] = group.split(".").map(Number);
      if (b === undefined) return [parseInt(group, 16)];
      return [a! * 256 + b, c! * 256 + d!]; // isIPv6 has seen four
    });
  const [start, end] = [numbers(before), numbers(after ?? "")];
  return [...start, ...Array<number>(GROUPS - start.length - end.length).fill(0), ...end];
}

/** A list of addresses and subnets. Throws if one of them is neither. */
export function blockListOf(members: readonly string[]): BlockList {
  const list = new BlockList();
  for (const member of members) {
    const [address = "", bits] = member.split("/");
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, bits === "" ? NaN : Number(bits), family);
  }
  return list;
}
