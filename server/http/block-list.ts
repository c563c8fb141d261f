import { BlockList, isIPv4 } from "node:net";

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
