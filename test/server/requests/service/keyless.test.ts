import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { CompressedBody } from "../../../../server/http/compressed-body.ts";
import type { OpenResource } from "../../../../server/requests/site.ts";
import { requestText, sendRaw } from "../../../support/http-raw.ts";
import {
  errorOf,
  sharedServer,
  withServer,
  type ServerFixture,
} from "../../../support/server-fixture.ts";

const MIB = 1024 * 1024;
const BROWSER = { accept: "text/html" };

/** A page whose text takes half a megabyte. */
async function longPage(): Promise<OpenResource> {
  const body = await CompressedBody.from("long ".repeat(MIB / 10));
  return { contentType: "text/html", body: () => Promise.resolve(body) };
}

/** Requests of a client that a proxy on this machine names. */
function from(server: ServerFixture, client: string) {
  return (path: string, headers: Record<string, string> = {}, key?: string) =>
    server.get(path, key, { "x-forwarded-for": client, ...headers });
}

const BEHIND_PROXY = { trustedProxies: ["127.0.0.1"] };

describe("a network without a key", () => {
  test("has 600 requests a minute, of pages and of refusals, and then a page that says so", async () => {
    await withServer(BEHIND_PROXY, async (server) => {
      const get = from(server, "203.0.113.9");
      const paths = ["/check", "/nowhere", "/v1/signals", "/openapi.json"];
      const statuses = new Set<number>();
      for (let sent = 0; sent < 600; sent++) {
        const response = await get(paths[sent % paths.length]!);
        await response.arrayBuffer();
        statuses.add(response.status);
      }
      expect(statuses).toEqual(new Set([200, 404, 401]));
      const page = await get("/check", BROWSER);
      expect([page.status, page.headers.get("content-type")]).toEqual([
        429,
        "text/html; charset=utf-8",
      ]);
      expect(page.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(await page.text()).toContain("Without a key, 600 requests a minute are answered");
      const refused = await get("/v1/signals");
      expect([refused.status, (await errorOf(refused)).code]).toEqual([429, "rate_limited"]);
      const key = await server.key();
      expect((await get("/v1/signals", {}, key)).status).toBe(200);
      for (const path of ["/healthz", "/readyz"]) expect((await get(path)).status).toBe(200);
      expect((await from(server, "203.0.113.10")("/check")).status).toBe(200);
      server.clock.pass(60_000);
      expect((await get("/check")).status).toBe(200);
    });
  });

  test("is not limited on this machine, unless that is a proxy", async () => {
    await withServer({}, async (server) => {
      const get = from(server, "203.0.113.9");
      for (let sent = 0; sent < 605; sent++) {
        const response = await get("/nowhere");
        await response.arrayBuffer();
        expect(response.status).toBe(404);
      }
    });
  });

  test("gets 32 MiB of long pages in ten seconds, and all networks 128 MiB", async () => {
    const open = new Map([["/long", await longPage()]]);
    await withServer({ open, ...BEHIND_PROXY }, async (server) => {
      const identity = { "accept-encoding": "identity" };
      const taken = async (client: string) => {
        for (let count = 0; ; count++) {
          const response = await from(server, client)("/long", identity);
          const { length } = Buffer.from(await response.arrayBuffer());
          if (response.status !== 200) return count;
          expect(length).toBe(Math.floor(MIB / 10) * 5);
        }
      };
      const clients = [1, 2, 3, 4, 5].map((last) => `203.0.113.${last}`);
      const counts = [];
      for (const client of clients) counts.push(await taken(client));
      expect(counts).toEqual([64, 64, 64, 64, 0]);
      const zipped = await from(server, "203.0.113.1")("/long");
      expect(zipped.status).toBe(200);
      server.clock.pass(10_000);
      expect((await from(server, "203.0.113.5")("/long", identity)).status).toBe(200);
    });
  });

  test("gets pages compressed as they are kept, or not", async () => {
    const open = new Map([["/long", await longPage()]]);
    await withServer({ open }, async (server) => {
      const sent = requestText("GET /long", ["Accept-Encoding: gzip"]);
      const { responses } = await sendRaw(server.http.port, sent);
      expect(responses[0]!.headers["content-encoding"]).toBe("gzip");
      const plain = await server.get("/long", undefined, { "accept-encoding": "identity" });
      expect(plain.headers.get("content-encoding")).toBeNull();
      expect(gunzipSync(Buffer.from(responses[0]!.body, "latin1")).toString()).toBe(
        await plain.text(),
      );
    });
  });
});

describe("what needs no key", async () => {
  const { server } = await sharedServer();

  test.each(["/", "/coins/btc", "/index.csv", "/index.svg", "/coins/btc/bars.json"])(
    "%s is kept, and asked for again with its tag",
    async (path) => {
      const response = await server.get(path, undefined);
      const etag = response.headers.get("etag")!;
      expect(response.headers.get("cache-control")).toBe("public, no-cache");
      expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
      const again = await server.get(path, undefined, { "if-none-match": etag });
      expect([again.status, await again.text()]).toEqual([304, ""]);
      expect(again.headers.get("etag")).toBe(etag);
      const plain = { "if-none-match": etag, "accept-encoding": "identity" };
      expect((await server.get(path, undefined, plain)).status).toBe(304);
      const other = await server.get(path, undefined, { "if-none-match": 'W/"another"' });
      expect(other.status).toBe(200);
    },
  );

  test("previews have a picture at the server's own address", async () => {
    const html = await (await server.get("/index", undefined)).text();
    const address = /property="og:image" content="([^"]+)"/.exec(html)?.[1];
    const picture = await server.get(new URL(address!).pathname, undefined);
    expect(picture.headers.get("content-type")).toBe("image/png");
    const bytes = Buffer.from(await picture.arrayBuffer());
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);
    const icon = /rel="icon"[^>]* href="([^"]+)"/.exec(html)?.[1];
    expect((await server.get(icon!, undefined)).headers.get("content-type")).toContain("svg");
  });
});
