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

async function sent(body: FormData | string, query = "") {
  const response = await fetch(`${server.origin}/v1/check${query}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
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

describe("POST /check", () => {
  test("holds the part live to the part backtest", async () => {
    const { data } = await sent(form({ backtest, live }), "?n_trials=20");
    expect(data.live.verdict.value).toBe("stop_loses");
    expect(data.live.stop.loses.reached_on).toBe("2023-11-18");
    expect(data.live.stop.contradiction.up_to_trials).toBe(200);
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
    expect((await sent(form({ backtest }))).data).toEqual(data);
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
