import { describe, expect, test } from "vitest";
import { chargeKey, create, json, runCommand, useStateFolder } from "../support/command-line.ts";

const at = useStateFolder();

describe("hindsight accounts", () => {
  test("suspend and resume say so, list and show it, and are logged", async () => {
    const { account_id: id } = await create("ann@example.com", "free");
    expect((await runCommand("accounts", "suspend", id)).out).toContain(`${id} is suspended`);
    expect((await runCommand("accounts", "list")).out).toMatch(/ suspended \d{4}-/);
    expect((await runCommand("accounts", "show", id)).out).toContain("Suspended since");
    const resumed = await json<{ suspended_at: string | null }>("accounts", "resume", id);
    expect(resumed.suspended_at).toBeNull();
    const { out } = await runCommand("accounts", "log");
    expect(
      out
        .split("\n")
        .slice(1, -1)
        .map((line) => line.slice(22)),
    ).toEqual([
      expect.stringMatching(`^command  ${id}  opened on free`),
      expect.stringMatching(`^command  ${id}  suspended`),
      expect.stringMatching(`^command  ${id}  resumed`),
    ]);
    expect(out).not.toContain("@");
  });

  test("address gives an account another one, unless that is taken", async () => {
    const { account_id: id } = await create("ann@example.com", "free");
    const moved = await runCommand("accounts", "address", id, "--to", "next@example.com");
    expect(moved.out).toContain("has the address next@example.com");
    expect((await runCommand("accounts", "show", "next@example.com")).out).toContain(id);
    await runCommand("accounts", "create", "--email", "other@example.com");
    const taken = await runCommand("accounts", "address", id, "--to", "other@example.com");
    expect([taken.code, taken.err]).toEqual([1, expect.stringContaining("already has an account")]);
    const missing = await runCommand("accounts", "address", id);
    expect([missing.code, missing.err]).toEqual([2, expect.stringContaining("--to ADDRESS")]);
  });

  test("delete wants --yes, and leaves the sum of what was used", async () => {
    const { account_id: id, key } = await create("ann@example.com", "free");
    await chargeKey(at.state, key, 3);
    const asked = await runCommand("accounts", "delete", id);
    expect([asked.code, asked.err]).toEqual([2, expect.stringContaining("--yes")]);
    const before = (await runCommand("accounts", "list", "--usage", "--csv")).out;
    expect(before).toMatch(
      new RegExp(`^account_id,plan,env,period,used\\r\\n${id},free,live,\\d{4}-\\d\\d,3\\r\\n$`),
    );
    expect((await runCommand("accounts", "delete", id, "--yes")).out).toContain("is deleted");
    expect((await runCommand("accounts", "list")).out).toContain("No accounts");
    const after = (await runCommand("accounts", "list", "--usage", "--csv")).out;
    expect(after).toBe(before.replace(id, ""));
    expect((await runCommand("accounts", "list", "--usage")).out).toContain("(gone)");
    const later = await runCommand("accounts", "list", "--usage", "--csv", "--since", "2999-01");
    expect(later.out).toBe("account_id,plan,env,period,used\r\n");
  });

  test("list takes --csv and --since with --usage only", async () => {
    const { code, err } = await runCommand("accounts", "list", "--csv");
    expect([code, err]).toEqual([2, expect.stringContaining("belong to --usage")]);
    const month = await runCommand("accounts", "list", "--usage", "--since", "2026");
    expect([month.code, month.err]).toEqual([2, expect.stringContaining("such as 2026-01")]);
  });
});
