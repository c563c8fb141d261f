import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createInterface, type Interface } from "node:readline";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AccountsFixture, callerOf, tinyPlans } from "../../../support/accounts-fixture.ts";
import {
  buildAccounts,
  startCharging,
  type ChargingOrder,
} from "../../../support/built-accounts.ts";
import { seededUniform } from "../../../support/made-up-bars.ts";
import { charge } from "../../../support/charge.ts";

const PLENTY = 1_000_000_000;

let folder: string;
let fixture: AccountsFixture;
/** A test's processes; its folder is theirs until they are gone. */
let children: { readonly child: ChildProcess; readonly gone: Promise<unknown> }[] = [];
beforeAll(() => {
  folder = buildAccounts();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(async () => {
  for (const { child } of children) child.kill("SIGKILL");
  await Promise.all(children.map(({ gone }) => gone));
  children = [];
  await fixture.close();
});

interface Charger {
  readonly child: ChildProcess;
  readonly lines: Interface;
}

/** A charging process that has opened the file and waits for the signal to begin. */
async function charger(order: Omit<ChargingOrder, "file" | "nowMs">): Promise<Charger> {
  const { file, clock } = fixture;
  const child = startCharging(folder, { ...order, file, nowMs: clock.wallMs });
  children.push({ child, gone: once(child, "exit") });
  const lines = createInterface({ input: child.stdout! });
  const [said] = (await once(lines, "line")) as [string];
  expect(said).toBe("ready");
  return { child, lines };
}

interface Charged {
  readonly charged: number;
  readonly refused: number;
  readonly failed: number;
}

async function resultOf<T = Charged>({ child, lines }: Charger): Promise<T> {
  const answer = once(lines, "line");
  child.stdin!.write("go\n");
  const [line] = (await answer) as [string];
  return JSON.parse(line) as T;
}

describe("several processes on one file", () => {
  test("open it for the first time together", async () => {
    // There is no file yet, so all of them make it. Nobody knows the key, so they only say "ready".
    const order = { key: "", callsPerMonth: 1, mode: "once", charges: 1 } as const;
    const chargers = await Promise.all([order, order, order].map(charger));
    for (const { child } of chargers) child.kill();
    expect((await fixture.account("free")).account.plan).toBe("free");
  });

  test("spend the last unit exactly once, out of a thousand that race for it", async () => {
    const callsPerMonth = 10;
    const plans = tinyPlans(callsPerMonth);
    const { key } = await fixture.account("tiny", "a@example.com", plans);
    const accounts = fixture.server({ plans });
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    await charge(accounts, caller, callsPerMonth - 1, now);
    const order = { key, callsPerMonth, mode: "once", charges: 500 } as const;
    const chargers = [await charger(order), await charger(order)];
    const results = await Promise.all(chargers.map(resultOf));
    expect(results.map(({ failed }) => failed)).toEqual([0, 0]);
    expect(results[0]!.charged + results[1]!.charged).toBe(1);
    expect(accounts.quota(caller, now)).toMatchObject({
      used: callsPerMonth,
      quota: { remaining: 0 },
    });
  });

  test("spend a month of many units to the last one and not beyond, with this process in the race", async () => {
    const callsPerMonth = 1_000;
    const plans = tinyPlans(callsPerMonth);
    const { key } = await fixture.account("tiny", "a@example.com", plans);
    const order = { key, callsPerMonth, mode: "once", charges: 700 } as const;
    const chargers = [await charger(order), await charger(order)];
    const accounts = fixture.server({ plans });
    const now = fixture.clock.wallMs;
    const caller = callerOf(accounts, key, now);
    const others = Promise.all(chargers.map(resultOf));
    let ours = 0;
    for (let n = 0; n < 300; n++) if ((await charge(accounts, caller, 1, now)).charged) ours++;
    const charged = (await others).reduce((sum, result) => sum + result.charged, ours);
    expect(charged).toBe(callsPerMonth);
    expect(accounts.quota(caller, now).used).toBe(callsPerMonth);
  });
});

describe("a change of plan while calls are counted", () => {
  test("takes each of them along, from the trial to the month and back", async () => {
    const plans = tinyPlans(PLENTY);
    const { key, account } = await fixture.account("trial", "a@example.com", plans);
    const order = { key, callsPerMonth: PLENTY, mode: "forever", charges: 7 } as const;
    const { child, lines } = await charger(order);
    let acknowledged = 0;
    lines.on("line", (line) => {
      acknowledged = Number(line);
    });
    child.stdin!.write("go\n");
    const admin = fixture.admin(plans);
    for (const plan of ["tiny", "trial", "tiny", "trial", "tiny"]) {
      for (let line = 0; line < 50; line++) await once(lines, "line");
      await admin.setPlan(account.id, plan);
    }
    for (let line = 0; line < 50; line++) await once(lines, "line");
    const gone = Promise.all([once(child, "exit"), once(lines, "close")]);
    child.kill("SIGKILL");
    await gone;
    const { used } = (await admin.usageOf(account.id)).allowances[0]!;
    await admin.close();
    expect(used).toBeGreaterThanOrEqual(acknowledged);
    expect(used).toBeLessThanOrEqual(acknowledged + order.charges);
  });
});

describe("the minute of several processes", () => {
  test.each([50, 600])("of %d is one, in any 60 seconds", async (ratePerMinute) => {
    const plans = tinyPlans(PLENTY);
    const { key } = await fixture.account("tiny", "a@example.com", plans);
    const rest = { callsPerMonth: PLENTY, charges: 0, ratePerMinute, speed: 60 };
    const order = { key, mode: "admit", ...rest } as const;
    const chargers = await Promise.all([order, order, order].map(charger));
    const admitted = (
      await Promise.all(chargers.map((each) => resultOf<[before: number, after: number][]>(each)))
    ).flat();
    // The nth admission was made between the nth instant before one and the nth instant after one.
    const before = admitted.map(([ms]) => ms).sort((a, b) => a - b);
    const after = admitted.map(([, ms]) => ms).sort((a, b) => a - b);
    for (let n = 0; n + ratePerMinute < admitted.length; n++) {
      const span = after[n + ratePerMinute]! - before[n]!;
      expect(span, "rounding is to the millisecond").toBeGreaterThan(60_000 - 2);
    }
    expect(admitted.length).toBeGreaterThanOrEqual(2 * ratePerMinute);
    expect(admitted.length).toBeLessThanOrEqual(4 * ratePerMinute);
  });
});

describe("a process killed in the middle of charging", () => {
  test("leaves every charge it acknowledged in the file, and at most one group more", async () => {
    const plans = tinyPlans(PLENTY);
    const { key, account } = await fixture.account("tiny", "a@example.com", plans);
    const uniform = seededUniform(7);
    const charges = 7;
    let acknowledged = 0;
    for (let round = 0; round < 12; round++) {
      const { child, lines } = await charger({
        key,
        callsPerMonth: PLENTY,
        mode: "forever",
        charges,
      });
      let last = 0;
      let killAfter = 1 + Math.floor(uniform() * 400);
      lines.on("line", (line) => {
        last = Number(line);
        if (--killAfter === 0) child.kill("SIGKILL");
      });
      const gone = Promise.all([once(child, "exit"), once(lines, "close")]);
      child.stdin!.write("go\n");
      await gone;
      acknowledged += last;
      const admin = fixture.admin(plans);
      const { allowances, endpoints } = await admin.usageOf(account.id);
      await admin.close();
      const used = allowances[0]!.used;
      expect(used).toBeGreaterThanOrEqual(acknowledged);
      expect(used, "a group may be committed and its answer not out").toBeLessThanOrEqual(
        acknowledged + charges,
      );
      expect(endpoints[0]!.units, "the breakdown is as exact").toBe(used);
      acknowledged = used;
    }
    expect(acknowledged).toBeGreaterThan(0);
  });
});
