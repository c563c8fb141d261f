import { record } from "../../../../api/record.ts";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { madeOnce } from "../../../../server/requests/site.ts";
import type { ReadEndpoint } from "../../../../server/routes/endpoint.ts";
import { errorOf, usedBy, withServer } from "../../../support/server-fixture.ts";

describe("a defect", () => {
  test("in a page is 500, and the next request may get the page", async () => {
    let asked = 0;
    const page = madeOnce({ contentType: "text/plain" }, () => {
      if (++asked === 1) throw new Error("no such file");
      return "a page";
    });
    await withServer({ open: new Map([["/page", page]]) }, async (own) => {
      const failed = await own.get("/page", undefined);
      expect([failed.status, (await errorOf(failed)).code]).toEqual([500, "internal_error"]);
      expect(own.defects.map(({ error }) => (error as Error).message)).toEqual(["no such file"]);
      const made = await own.get("/page", undefined);
      expect([made.status, made.headers.get("content-type")]).toEqual([200, "text/plain"]);
      expect(await made.text()).toBe("a page");
    });
  });

  const broken: ReadEndpoint = {
    kind: "read",
    path: "/broken",
    operationId: "broken",
    tag: "Market",
    summary: "",
    description: "",
    query: z.strictObject({}),
    data: record<object>()({}),
    examples: {},
    resolve: () => ({}),
    answer: () => {
      throw new TypeError("secret detail");
    },
  };

  test("is 500 without a detail, logged with the id, and not charged", async () => {
    await withServer({ endpoints: [broken] }, async (own) => {
      const ownKey = await own.key();
      const response = await own.get("/v1/broken", ownKey, { "x-request-id": "find-me" });
      expect(response.status).toBe(500);
      expect(response.headers.get("x-request-id")).toBe("find-me");
      expect(response.headers.get("ratelimit")).not.toBeNull();
      const text = await response.text();
      expect(text).not.toContain("secret");
      expect(JSON.parse(text).error.code).toBe("internal_error");
      expect(
        own.defects.map(({ request, error }) => [request.id, (error as Error).message]),
      ).toEqual([["find-me", "secret detail"]]);
      expect(usedBy(own, ownKey)).toBe(0);
    });
  });

  test("after a charge is 500, and no other request of the turn hears of it", async () => {
    const meterOf = () => ({
      over() {},
      outage() {},
      charged() {
        throw new Error("cannot count");
      },
    });
    await withServer({ meterOf }, async (own) => {
      const ownKey = await own.key();
      const [response, other] = await Promise.all([
        own.get("/v1/strategies", ownKey),
        own.get("/v1/dca", ownKey),
      ]);
      expect([response.status, (await errorOf(response)).code]).toEqual([500, "internal_error"]);
      expect(other.status).toBe(400);
      expect(own.defects.map(({ error }) => (error as Error).message)).toEqual(["cannot count"]);
    });
  });
});
