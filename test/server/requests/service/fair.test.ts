import { describe, expect, test } from "vitest";
import { dateOfDay } from "../../../../quant/calendar.ts";
import { ENDPOINTS } from "../../../../server/routes/endpoints.ts";
import { FIRST_DAY } from "../../../support/server-market.ts";
import { usedBy, withServer } from "../../../support/server-fixture.ts";

/** A clock on which everything takes some milliseconds. */
function slowClock(): () => number {
  let nowMs = 0;
  return () => (nowMs += 3);
}

/** The endpoints, and how many boards were made. */
function counted() {
  const made = { boards: 0 };
  const endpoints = ENDPOINTS.map((endpoint) => {
    if (endpoint.kind !== "read" || endpoint.path !== "/signals") return endpoint;
    const answer: typeof endpoint.answer = (snapshot, resolved) => {
      made.boards++;
      return endpoint.answer(snapshot, resolved);
    };
    return { ...endpoint, answer };
  });
  return { made, endpoints };
}

const boardOf = (day: number) => `/v1/signals?date=${dateOfDay(FIRST_DAY + day)}`;

describe("an account that asks for many answers at once", () => {
  test("waits for them, and another account does not", async () => {
    await withServer({ monotonicMs: slowClock() }, async (server) => {
      const [many, other] = await Promise.all([
        server.key("roomy", "many@example.com"),
        server.key("roomy", "other@example.com"),
      ]);
      await server.get("/v1/usage", other); // a connection is open
      const order: string[] = [];
      const asked = (path: string, key: string, name: string) =>
        server.get(path, key).then(async (response) => {
          await response.json();
          order.push(name);
          return response.status;
        });
      const boards = Array.from({ length: 60 }, (_, day) => asked(boardOf(day), many, "many"));
      const alone = asked(boardOf(100), other, "other");
      expect(new Set(await Promise.all([...boards, alone]))).toEqual(new Set([200]));
      expect(order.indexOf("other")).toBeLessThan(30);
    });
  });

  test("has none made after it has left, and is not charged for them", async () => {
    const { made, endpoints } = counted();
    await withServer({ monotonicMs: slowClock(), endpoints }, async (server) => {
      const key = await server.key();
      const gone = new AbortController();
      const headers = { authorization: `Bearer ${key}` };
      const asked = Array.from({ length: 40 }, (_, day) =>
        fetch(server.origin + boardOf(day), { headers, signal: gone.signal }),
      );
      await asked[0];
      gone.abort();
      await Promise.allSettled(asked);
      await (await server.get(boardOf(100), key)).json();
      expect(made.boards).toBeLessThan(40);
      expect(usedBy(server, key)).toBeLessThanOrEqual(made.boards);
    });
  });
});
