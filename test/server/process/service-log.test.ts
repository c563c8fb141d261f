import { describe, expect, test } from "vitest";
import { AccountsUnavailable } from "../../../accounts/accounts.ts";
import { HttpRequest } from "../../../server/http/request.ts";
import type { LogLevel } from "../../../server/process/log-level.ts";
import { openLog } from "../../../server/process/open-log.ts";
import { serviceLog } from "../../../server/process/service-log.ts";

const KEY = `hs_live_${"k".repeat(36)}`;

function request(): HttpRequest {
  const made = new HttpRequest();
  made.method = "GET";
  made.path = "/v1/dca";
  made.query = `api_key=${KEY}`;
  made.id = "find-me";
  made.accountId = "acc_1";
  made.addHeader("authorization", `Bearer ${KEY}`);
  made.nowMs = 1000;
  made.startedMs = 1000;
  return made;
}

/** A log at a level, and the lines it wrote. */
function logAt(level: LogLevel, nowMs = () => 1007) {
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  return { log: serviceLog(openLog({ level, stream }), nowMs), lines };
}

describe("the log", () => {
  test.each([
    KEY.slice("hs_".length),
    `%68${KEY.slice(1)}`,
    `h%73%5F${KEY.slice("hs_".length)}`,
    KEY.replace(/[a-z]/gi, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  ])("takes nearly a key out of a path: %s", (misplaced) => {
    const { log, lines } = logAt("debug");
    log.over?.(Object.assign(request(), { path: `/v1/${misplaced}` }), undefined);
    expect(lines[0]).toContain("hs_live_...");
    expect(lines[0]).not.toMatch(/kkk|%6b/i);
  });

  test("has one line in ten seconds for accounts that cannot answer, with how many it was", () => {
    let now = 50_000;
    const { log, lines } = logAt("info", () => now);
    const outage = new AccountsUnavailable("the state file cannot answer: database is locked");
    for (const passed of [0, 1, 9_998, 1, 1]) {
      now += passed;
      log.outage(outage);
    }
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 50, reason: "the state file cannot answer: database is locked", requests: 1 },
      { level: 50, requests: 3 },
    ]);
  });

  test("tells of defects with the request's id and the stack, without a key", () => {
    const { log, lines } = logAt("warn");
    log.defect(request(), new TypeError("odd"));
    const line = JSON.parse(lines[0]!) as { request_id: string; err: { stack: string } };
    expect(line.request_id).toBe("find-me");
    expect(line.err.stack).toContain("TypeError: odd");
    expect(lines.join("")).not.toContain(KEY);
  });
});
