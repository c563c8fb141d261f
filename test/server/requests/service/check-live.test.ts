import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import { checkRunner } from "../../../../server/checks/run-check.ts";
import { findCurrent } from "../../../../snapshots/folder.ts";
import { publishDemo } from "../../../support/publish-demo.ts";
import { liveFiles } from "../../../support/live-files.ts";
import { schemaFaults } from "../../../support/server-schema.ts";
import { sharedServer } from "../../../support/server-fixture.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const snapshots = temporaryFolder("check-live");
await publishDemo(snapshots, "2024-06-01", "2024-06-02T00:10:00Z");
const snapshotId = basename((await findCurrent(snapshots))!); // just now
const runner = checkRunner({ snapshots });
const { server, key } = await sharedServer({
  runCheck: (task, signal) => runner({ ...task, snapshotId }, signal),
});
const { backtest, live, both } = liveFiles();

async function sent(
  body: FormData | string,
  query = "",
  headers: Readonly<Record<string, string>> = {},
) {
  const response = await fetch(`${server.origin}/v1/check${query}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, ...headers },
    body,
  });
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are read as a stranger would: untyped
  const answer = (await response.json()) as any;
  expect(schemaFaults("/check", response.status, answer, "post")).toEqual([]);
  return answer;
}

function form(parts: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [name, text] of Object.entries(parts))
    data.append(name, new Blob([text]), `${name}.csv`);
  return data;
}

/** The bytes of a form, and its content type. */
function bytesOf(...texts: readonly [backtest: string, live: string]) {
  const parts = ["backtest", "live"].map(
    (name, n) => `--BB\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${texts[n]}\r\n`,
  );
  return { type: "multipart/form-data; boundary=BB", body: `${parts.join("")}--BB--\r\n` };
}

describe("POST /check", () => {
  test("holds the part live to the part backtest", async () => {
    const { data } = await sent(form({ backtest, live }), "?n_trials=20");
    expect(data.live.verdict.value).toBe("stop_loses");
    expect(data.live.stop.loses.reached_on).toBe("2023-12-03");
    expect(data.live.stop.contradiction.up_to_trials).toBe(5_000);
    expect(data.live.claim.after_luck).toBeCloseTo(1.977732239, 6);
    expect(data.input.n_trials).toEqual({ value: 20, source: "declared" });
    expect(data.live.picture.day).toHaveLength(60);
  });

  test("takes one file that began as a backtest", async () => {
    const { data } = await sent(both, "?n_trials=20&live_since=2023-05-23");
    expect(data.input.bars).toBe(500);
    expect(data.live).toMatchObject({ cut: "2023-05-23", days: 300, overlap: null });
    expect(data.live.verdict).toMatchObject({ value: "stop_loses", cautions: [] });
  });

  test("has no live part without live days", async () => {
    const { data } = await sent(backtest);
    expect(data.live).toBeNull();
  });

  test("reads a form as .NET writes it", async () => {
    const { type, body } = bytesOf(backtest, live);
    const quoted = type.replace("=BB", '="BB"; charset=utf-8');
    const { data } = await sent(body, "?n_trials=20", { "content-type": quoted });
    expect(data.live.verdict.value).toBe("stop_loses");
  });

  test("refuses a form that was cut, or has one part alone, and charges nothing for it", async () => {
    const usedUnits = async () => {
      const authorization = `Bearer ${key}`;
      const usage = await fetch(`${server.origin}/v1/usage`, { headers: { authorization } });
      return ((await usage.json()) as { data: { quota: { used: number } } }).data.quota.used;
    };
    const before = await usedUnits();
    const { type, body } = bytesOf(backtest, live);
    for (const cut of [8, 3000]) {
      const { error } = await sent(body.slice(0, -cut), "", { "content-type": type });
      expect(error.code).toBe("file_refused");
      expect(error.message).toContain('it ends inside the part "live"');
    }
    expect((await sent(form({ backtest }))).error.message).toContain('no part "live"');
    expect(await usedUnits()).toBe(before);
  });

  test("says of a form what is missing or too much", async () => {
    expect((await sent(form({ live }))).error.message).toContain('no part "backtest"');
    expect((await sent(form({ backtest, more: live }))).error.message).toContain('got "more"');
    expect((await sent(form({ backtest, live: "nothing" }))).error).toMatchObject({
      code: "file_refused",
      message: expect.stringMatching(/^the live record: /) as string,
    });
  });

  test("asks what the live file doesn't say by parameters of its own", async () => {
    const percents = live.replace(/,.*/g, ",0.7").replace("date,0.7", "date,return");
    const moving = percents.replaceAll("1,0.7", "1,-0.9");
    const asked = (await sent(form({ backtest, live: moving }))).error;
    expect(asked.code).toBe("more_needed");
    expect(asked.message).toContain('"live_unit=percent"');
    const answered = await sent(form({ backtest, live: moving }), "?live_unit=percent");
    expect(answered.data.input.options).toMatchObject({ live_unit: "percent" });
    expect(answered.data.live.days).toBe(300);
  });

  test.each(["live_since=2024-02-30", "live_unit=dollars"])("refuses %s", async (query) => {
    expect((await sent(form({ backtest, live }), `?${query}`)).error.code).toBe(
      "invalid_parameter",
    );
  });
});
