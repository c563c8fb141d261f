import { describe, expect, test } from "vitest";
import type { OpenResource } from "../../../../server/requests/site.ts";
import { errorOf, sharedServer, withServer } from "../../../support/server-fixture.ts";

const { server } = await sharedServer();
/** As browsers send it. */
const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };

describe("what a browser is shown where there is no page", () => {
  test("is a page that leads on, with the status of the refusal", async () => {
    const response = await server.get("/coin/btc", undefined, BROWSER);
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(response.headers.get("cache-control")).toBe("no-store");
    const html = await response.text();
    expect(html).toContain('Did you mean <a href="/coins/btc">/coins/btc</a>?');
    for (const door of ["/", "/check", "/docs"]) expect(html).toContain(`href="${door}"`);
  });

  test("is JSON for programs, and under the base paths for everybody", async () => {
    expect((await errorOf(await server.get("/coin/btc", undefined))).message).toContain(
      'did you mean "/coins/btc"?',
    );
    for (const path of ["/v1/signal", "/api/v1", "/api/v1/x"]) {
      const response = await server.get(path, undefined, BROWSER);
      expect((await errorOf(response)).code, `of ${path}`).toBe("not_found");
    }
    expect((await server.get("/v1x", undefined, BROWSER)).headers.get("content-type")).toContain(
      "html",
    );
  });

  test("has no body for HEAD, and its length", async () => {
    const response = await fetch(`${server.origin}/nope`, { method: "HEAD", headers: BROWSER });
    expect(response.status).toBe(404);
    expect(Number(response.headers.get("content-length"))).toBeGreaterThan(500);
    expect(await response.text()).toBe("");
  });

  test.each(["/", "/coins"])("says that there are no data yet for %s", async (path) => {
    await withServer({ snapshot: null }, async (own) => {
      const response = await own.get(path, undefined, BROWSER);
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).not.toBeNull();
      const html = await response.text();
      expect(html).toContain("Not ready yet");
      const [, styles] = /href="(\/assets\/[^"]+\.css)"/.exec(html)!;
      expect((await own.get(styles!, undefined)).status).toBe(200);
    });
  });

  test("says under which id a defect was logged", async () => {
    const page: OpenResource = {
      contentType: "text/html",
      body: () => Promise.reject(new Error("a defect")),
    };
    await withServer({ open: new Map([["/page", page]]) }, async (own) => {
      const response = await own.get("/page", undefined, { ...BROWSER, "x-request-id": "mine" });
      expect(response.status).toBe(500);
      expect(await response.text()).toContain("logged under mine");
      expect(own.defects).toHaveLength(1);
    });
  });
});
