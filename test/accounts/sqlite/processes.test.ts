import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AccountsFixture, tinyPlans } from "../../support/accounts-fixture.ts";
import { seededUniform } from "../../support/made-up-bars.ts";

const PLENTY = 1_000_000_000;
const CHARGES = fileURLToPath(new URL("../../support/charge-accounts.mjs", import.meta.url));

let fixture: AccountsFixture;
/** The processes of a test, whose folder is removed after they have ended. */
let children: { readonly child: ChildProcess; readonly gone: Promise<unknown> }[] = [];
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
async function charger(key: string, perTurn: number): Promise<Charger> {
  const args = [CHARGES, fixture.file, key, String(fixture.clock.wallMs), String(perTurn)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  children.push({ child, gone: once(child, "exit") });
  const lines = createInterface({ input: child.stdout! });
  const [said] = (await once(lines, "line")) as [string];
  expect(said).toBe("ready");
  return { child, lines };
}

describe("a state file that another process owns", () => {
  test("is refused with what to do, and is free as soon as that process is killed", async () => {
    const { key } = await fixture.account("trial");
    const { child } = await charger(key, 1);
    await expect(fixture.state()).rejects.toMatchObject({
      code: "state_in_use",
      message: expect.stringContaining("keep the state in Redis") as string,
    });
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
    await fixture.state();
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
      const { child, lines } = await charger(key, charges);
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
      const { admin } = await fixture.state({ plans });
      const { allowances, endpoints } = await admin.usageOf(account.id);
      await fixture.closeState();
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
