import { describe, expect, test } from "vitest";
import { sharedServer } from "../../support/server-fixture.ts";

const { server } = await sharedServer();

async function pageAt(path: string): Promise<string> {
  const response = await server.get(path, undefined);
  expect(response.status, `of ${path}`).toBe(200);
  return await response.text();
}

describe("pages of a snapshot", () => {
  test("exist for each coin and each rule, and for no other", async () => {
    for (const path of ["/coins/btc", "/coins/new", "/strategies/macd_cross"]) await pageAt(path);
    for (const path of ["/coins/nope", "/strategies/nope", "/coins/btc/x", "/index/x"]) {
      expect((await server.get(path, undefined)).status, `of ${path}`).toBe(404);
    }
  });

  test("are marked where prices are made up, and so is the picture for other sites", async () => {
    for (const path of ["/", "/index", "/dataset", "/coins", "/strategies"]) {
      expect(await pageAt(path)).toContain("Made-up prices");
    }
    expect(await pageAt("/index.svg")).toContain("made-up prices");
  });

  test("allow no script but this server's, and no style in an attribute", async () => {
    for (const path of ["/", "/coins/btc", "/dataset"]) {
      const response = await server.get(path, undefined);
      const policy = response.headers.get("content-security-policy");
      expect(policy).toContain("default-src 'self'");
      expect(policy).not.toContain("unsafe-inline");
      const html = await response.text();
      expect(html).not.toMatch(/\sstyle=|<style|\son[a-z]+=/);
      expect(html).not.toMatch(/<script(?![^>]*src="\/assets\/)/);
    }
  });

  test("load assets that browsers may keep for ever", async () => {
    const home = await pageAt("/");
    const addresses = [...home.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, address]) => address!);
    expect(addresses.length).toBeGreaterThan(1);
    for (const address of addresses) {
      const response = await server.get(address, undefined);
      expect(response.status).toBe(200);
      expect(response.headers.get("cache-control")).toContain("immutable");
      expect(response.headers.get("content-security-policy")).toContain("default-src 'self'");
    }
  });

  test("weigh at most 100 KB, and their scripts 60 KB, compressed", async () => {
    const home = await pageAt("/");
    const script = /src="(\/assets\/luck[^"]+)"/.exec(home)![1]!;
    for (const [path, max] of [
      [script, 60],
      ["/", 100],
      ["/dataset", 100],
    ] as const) {
      const response = await server.get(path, undefined, { "accept-encoding": "gzip" });
      expect(Number(response.headers.get("content-length")), `of ${path}`).toBeLessThan(max * 1024);
    }
  });

  test("take GET and HEAD only, and say so when asked", async () => {
    const response = await fetch(`${server.origin}/coins`, { method: "POST" });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
    const options = await fetch(`${server.origin}/coins`, { method: "OPTIONS" });
    expect(options.status).toBe(204);
    expect(options.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  });
});
