import { describe, expect, test } from "vitest";
import { Networks } from "../../../server/requests/networks.ts";

describe("the network of a connection", () => {
  const networks = new Networks();
  const at = (address: string) => networks.networkOf(address, "203.0.113.9");

  test("is an IPv4 address, also where that is written as one of IPv6", () => {
    const network = { names: ["198.51.100.7", "198.51.100.0/24"], isLimited: true };
    expect(at("198.51.100.7")).toEqual(network);
    expect(at("::ffff:198.51.100.7")).toEqual(network);
    expect(at("0000:0000:0000:0000:0000:ffff:c633:6407")).toEqual(network);
  });

  test("is the first 56 bits of an IPv6 address", () => {
    const names = ["2001:db8:12:3400::/56", "2001:db8:12::/48", "2001:db8::/32"];
    const network = { names, isLimited: true };
    expect(at("2001:db8:12:34ab::1")).toEqual(network);
    expect(at("2001:0db8:0012:3401:0000:0000:0000:0001")).toEqual(network);
    expect(at("2001:db8:12:34ab:1:2:3.4.5.6")).toEqual(network);
    expect(at("2001:db8:12:35ab::1").names).toEqual(["2001:db8:12:3500::/56", ...names.slice(1)]);
  });

  test.each(["127.0.0.1", "10.1.2.3", "172.31.0.1", "192.168.1.1", "::1", "fd12::1", "fe80::1"])(
    "is not limited on this machine and in private networks: %s",
    (address) => {
      expect(at(address).isLimited).toBe(false);
    },
  );
});

describe("with proxies named", () => {
  const networks = new Networks(["10.0.0.0/8", "2001:db8::5"]);

  test.each([
    ["10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["10.0.0.1", "198.51.100.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"],
    ["2001:db8::5", "2001:db8:1:2::9", "2001:db8:1:0::/56"],
    ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["10.0.0.1", "", "10.0.0.1"],
    ["10.0.0.1", "unknown, nonsense", "10.0.0.1"],
    ["10.0.0.1", "10.0.0.7", "10.0.0.7"],
  ])("a connection from %s for %j is of %s", (address, forwardedFor, name) => {
    const network = networks.networkOf(address, forwardedFor);
    expect([network.names[0], network.isLimited]).toEqual([name, true]);
  });
});

test.each(["10.0.0", "10.0.0.0/33", "10.0.0.0/", "proxy.example.com", "::/129"])(
  "%s is no proxy's address",
  (proxy) => {
    expect(() => new Networks([proxy])).toThrow(/address|prefix/);
  },
);
