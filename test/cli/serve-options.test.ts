import { describe, expect, test } from "vitest";
import {
  jobThreadsOption,
  listenOptions,
  metricsOf,
  metricsPortOption,
  publicOptions,
  smtpFault,
} from "../../cli/serve-options.ts";

/** What an option makes of values given one after the other. */
function parsed(name: string, ...values: string[]): unknown {
  const options = [...listenOptions(), jobThreadsOption(), ...publicOptions(), metricsPortOption()];
  const { parseArg, defaultValue } = options.find((option) => option.attributeName() === name)!;
  return values.reduce<unknown>((before, value) => parseArg!(value, before), defaultValue);
}

describe("--public-url", () => {
  test.each([
    ["https://api.example.com", "https://api.example.com"],
    ["https://api.example.com/", "https://api.example.com"],
    ["http://127.0.0.1:8080/data//", "http://127.0.0.1:8080/data"],
    [" https://api.example.com ", "https://api.example.com"],
    ["HTTPS://API.Example.com:443/Data", "https://api.example.com/Data"],
    ["https:api.example.com", "https://api.example.com"],
  ])("%j begins links as %s", (given, expected) => {
    expect(parsed("publicUrl", given)).toBe(expected);
  });

  test.each([
    "api.example.com",
    "ftp://api.example.com",
    "https://api.example.com/?x=1",
    "https://api.example.com/#top",
    "https://me@api.example.com",
    "https://:secret@api.example.com",
    "",
  ])("refuses %j", (given) => {
    expect(() => parsed("publicUrl", given)).toThrow("https://api.example.com.");
  });
});

describe("--cors-origin", () => {
  test("may be repeated, or be one text with commas or spaces", () => {
    const both = ["https://a.example", "http://localhost:3000"];
    expect(parsed("corsOrigin", ...both)).toEqual(both);
    expect(parsed("corsOrigin", both.join(","))).toEqual(both);
    expect(parsed("corsOrigin", ` ${both.join(" ,\n")} `)).toEqual(both);
    expect(parsed("corsOrigin", "*")).toEqual(["*"]);
    expect(parsed("corsOrigin", "")).toEqual([]);
  });

  test.each(["a.example", "https://a.example/", "https://a.example/x", "https://a.example *.b"])(
    "refuses %j",
    (given) => {
      expect(() => parsed("corsOrigin", given)).toThrow("Allowed are origins");
    },
  );
});

describe("--trusted-proxy", () => {
  test("takes addresses and subnets, and may be one text", () => {
    const all = ["10.0.0.1", "192.168.0.0/16", "fd00::/8"];
    expect(parsed("trustedProxy", ...all)).toEqual(all);
    expect(parsed("trustedProxy", all.join(", "))).toEqual(all);
  });

  test.each(["proxy.example", "10.0.0.0/33", "10.0.0.1 x"])("refuses %j", (given) => {
    expect(() => parsed("trustedProxy", given)).toThrow("Allowed are addresses and subnets");
  });
});

describe("whole numbers", () => {
  test.each([
    ["port", ["0", "8080", "65535"], ["65536", "-1", "080808", "1e3", " 1", "+1", ""]],
    ["metricsPort", ["0", "9464", "65535"], ["65536", "no", ""]],
    ["jobThreads", ["0", "1024"], ["1025", "-1", "00001"]],
  ])("--%s has its bounds", (name, taken, refused) => {
    for (const value of taken) expect(parsed(name, value)).toBe(Number(value));
    for (const value of refused) expect(() => parsed(name, value)).toThrow("Allowed are whole");
  });
});

test("metrics are on a default port that they can do without, on one they need, or off", () => {
  const at = { metricsHost: "127.0.0.1" };
  const host = "127.0.0.1";
  expect(metricsOf(at)).toEqual({ host, port: 9464, required: false });
  expect(metricsOf({ ...at, metricsPort: 0 })).toEqual({ host, port: 0, required: true });
  expect(metricsOf({ ...at, metricsPort: "none" })).toBeUndefined();
  expect(parsed("metricsPort", "none")).toBe("none");
});

describe("--smtp-url", () => {
  test.each([
    "http://mail.example.com",
    "smtp://",
    "smtp://host/path",
    "smtp://host?x=1",
    "host:25",
  ])("%s is no mail server", (address) => expect(smtpFault(address)).toContain("smtps://"));
  test.each(["smtp://127.0.0.1:25", "smtps://ann:p%40ss@mail.example.com"])(
    "%s is one",
    (address) => expect(smtpFault(address)).toBeUndefined(),
  );
});
