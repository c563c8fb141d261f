import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test, vi } from "vitest";
import { SupervisedProcess } from "../../../server/process/supervised-process.ts";
import { Supervisor } from "../../../server/process/supervisor.ts";

const CHILD = fileURLToPath(new URL("../../support/supervised-child.mjs", import.meta.url));

const open: Supervisor[] = [];
let restartMs = 1;
let nowMs = 0;
let stopLimitMs: number | undefined;
afterEach(async () => {
  [restartMs, nowMs, stopLimitMs] = [1, 0, undefined];
  for (const supervisor of open.splice(0)) await supervisor.stop();
});

/**
 * A supervisor of processes that behave as given, in the order of their starts. The last behaviour applies to
 * all further ones.
 */
function supervise(count: number, ...behaviours: string[]) {
  const started: ChildProcess[] = [];
  const reports: Record<string, unknown>[] = [];
  const said: string[] = [];
  let onStart = () => {};
  const supervisor = new Supervisor({
    count,
    start(index) {
      const behaviour = behaviours[started.length] ?? behaviours.at(-1) ?? "";
      const execPath = behaviour === "is not made" ? "/no/such/program" : process.execPath;
      const child = fork(CHILD, [behaviour, String(index)], { execArgv: [], execPath });
      started.push(child);
      onStart();
      return child;
    },
    report(message, details) {
      said.push(message);
      reports.push(details);
    },
    monotonicMs: () => nowMs,
    restartMs,
    stopLimitMs,
  });
  open.push(supervisor);
  /** Resolves once this many processes have been started in total. */
  const starts = (total: number) =>
    new Promise<void>((resolve) => {
      onStart = () => {
        if (started.length >= total) resolve();
      };
      onStart();
    });
  return { supervisor, started, reports, said, starts };
}

test("a process that was told to end before it was begun is not started", async () => {
  const process = new SupervisedProcess({
    name: "jobs",
    start: () => expect.unreachable("it is started"),
    report: () => {},
    monotonicMs: () => 0,
  });
  process.tell({ kind: "work" });
  expect(await process.stop()).toBe(true);
  process.keep();
  expect([process.isRunning, await process.metrics()]).toEqual([false, []]);
});

describe("several processes of one server", () => {
  test("are begun, told of once all listen, and ended well", async () => {
    const { supervisor, started, reports } = supervise(3, "listens");
    expect(await supervisor.start()).toBe("http://127.0.0.1:1");
    expect([started.length, supervisor.running]).toEqual([3, 3]);
    expect(await supervisor.stop()).toBe(true);
    expect(started.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
    expect(reports).toEqual([]);
  });

  test("do not begin where the first cannot", async () => {
    const { supervisor, started } = supervise(3, "fails");
    await expect(supervisor.start()).rejects.toMatchObject({
      message: "a process of the server could not start (exit 3)",
      exitCode: 3,
    });
    expect(started).toHaveLength(1);
  });

  test("begin although the first is killed or told to end before it listens", async () => {
    const { supervisor, started, reports } = supervise(2, "is killed", "is told to end", "listens");
    expect(await supervisor.start()).toBe("http://127.0.0.1:1");
    expect([started.length, supervisor.running, supervisor.restarts]).toEqual([4, 2, 2]);
    expect(reports).toMatchObject([
      { child: 0, exit: "SIGKILL", wait_ms: 1 },
      { child: 0, exit: 0, wait_ms: 2 },
    ]);
  });

  test("begin although another is killed or fails while they start", async () => {
    const { supervisor, started } = supervise(3, "listens", "is killed", "fails", "listens");
    await supervisor.start();
    expect([started.length, supervisor.running, supervisor.restarts]).toEqual([5, 3, 2]);
    expect(started[0]!.exitCode, "the first goes on").toBe(null);
  });

  test("begin although one that listens already is killed while the others start", async () => {
    const { supervisor, started, starts } = supervise(2, "listens", "is killed", "listens");
    const beginning = supervisor.start();
    await starts(2);
    started[0]!.kill("SIGKILL");
    await beginning;
    await starts(4);
    expect(supervisor.restarts).toBe(2);
  });

  test.each([
    ["is killed", "SIGKILL", undefined],
    ["fails", "exit 3", 3],
    ["is not made", "spawn /no/such/program ENOENT", undefined],
  ])("end where one of them %s whenever it starts", async (behaviour, how, exitCode) => {
    const { supervisor, started } = supervise(2, "listens", behaviour);
    const message = `a process of the server could not start (${how})`;
    await expect(supervisor.start()).rejects.toMatchObject({ message, exitCode });
    expect([started.length, supervisor.running]).toEqual([6, 0]);
    expect(started[0]!.exitCode).toBe(0);
  });

  test("end well when they are told to while one waits to be started again", async () => {
    restartMs = 3_600_000;
    const { supervisor, reports } = supervise(2, "listens", "is killed");
    const beginning = supervisor.start().catch((error: unknown) => String(error));
    await vi.waitUntil(() => reports.length > 0, { timeout: 20_000 });
    expect(reports, "half a minute at most").toMatchObject([{ wait_ms: 30_000 }]);
    expect(await supervisor.stop()).toBe(true);
    expect(await beginning).toContain("told to end");
  });

  test("are started again when they end by themselves, later and later", async () => {
    const { supervisor, started, reports, starts } = supervise(2, "listens", "listens", "fails");
    await supervisor.start();
    started[1]!.kill("SIGKILL");
    await starts(6);
    expect(supervisor.restarts).toBe(4);
    expect(reports[0]).toMatchObject({ child: 1, exit: "SIGKILL", wait_ms: 1 });
    // `pid` is the log's own member and says who writes the line.
    expect(Object.keys(reports[0]!)).not.toContain("pid");
    expect(reports[0]).toMatchObject({ child_pid: started[1]!.pid });
    expect(reports.slice(1, 4)).toMatchObject([
      { exit: 3, wait_ms: 2 },
      { exit: 3, wait_ms: 4 },
      { exit: 3, wait_ms: 8 },
    ]);
    expect(started[0]!.exitCode, "the others go on").toBe(null);
  });

  test("are started again when the system had no process to give", async () => {
    const { supervisor, started, reports, starts } = supervise(
      2,
      "listens",
      "listens",
      "is not made",
      "is not made",
      "listens",
    );
    await supervisor.start();
    started[1]!.kill("SIGKILL");
    await starts(5);
    await expect.poll(() => supervisor.running).toBe(2);
    expect(reports).toMatchObject([
      { exit: "SIGKILL", wait_ms: 1 },
      { exit: "spawn /no/such/program ENOENT", wait_ms: 2 },
      { exit: "spawn /no/such/program ENOENT", wait_ms: 4 },
    ]);
  });

  test("are started again when starting one throws", async () => {
    let starts = 0;
    const supervisor = new Supervisor({
      count: 1,
      start() {
        starts++;
        if (starts <= 2) throw new Error("spawn ENOMEM");
        return fork(CHILD, ["listens", "0"], { execArgv: [] });
      },
      report: () => {},
      monotonicMs: () => 0,
      restartMs,
    });
    open.push(supervisor);
    expect(await supervisor.start()).toBe("http://127.0.0.1:1");
    expect(supervisor.restarts).toBe(2);
  });

  test("are started again, the first as well, where one fails that has listened", async () => {
    const { supervisor, started, reports, starts } = supervise(1, "stumbles", "listens");
    await supervisor.start();
    started[0]!.kill();
    await starts(2);
    expect(reports).toMatchObject([{ child: 0, exit: 4 }]);
  });

  test("are started again as soon as the first time after a minute of life", async () => {
    const { supervisor, started, reports, starts } = supervise(1, "listens");
    await supervisor.start();
    for (const [index, livedMs] of [59_999, 59_999, 60_000].entries()) {
      nowMs += livedMs;
      started[index]!.kill("SIGKILL");
      await starts(index + 2);
    }
    expect(reports).toMatchObject([{ wait_ms: 1 }, { wait_ms: 2 }, { wait_ms: 1 }]);
  });

  test("say that one did not end well", async () => {
    const { supervisor, started, reports } = supervise(2, "listens", "stumbles");
    await supervisor.start();
    expect(await supervisor.stop()).toBe(false);
    expect(reports).toEqual([{ child: 1, child_pid: started[1]!.pid, exit: 4 }]);
  });

  test("end well although one of them is stopped (SIGSTOP)", async () => {
    const { supervisor, started, reports } = supervise(2, "listens");
    await supervisor.start();
    started[1]!.kill("SIGSTOP");
    expect(await supervisor.stop()).toBe(true);
    expect([started[1]!.exitCode, reports]).toEqual([0, []]);
  });

  test("are killed where they do not end in time, which is said", async () => {
    stopLimitMs = 1;
    const { supervisor, started, reports } = supervise(2, "listens", "hangs");
    await supervisor.start();
    expect(await supervisor.stop()).toBe(false);
    expect(started[1]!.signalCode).toBe("SIGKILL");
    const which = { child: 1, child_pid: started[1]!.pid };
    expect(reports).toContainEqual(which);
    expect(reports).toContainEqual({ ...which, exit: "SIGKILL" });
  });

  test("end well while one of them is still loaded: the signal itself ends that one", async () => {
    const { supervisor, started } = supervise(2, "listens", "is loaded");
    await supervisor.start();
    expect(await supervisor.stop()).toBe(true);
    expect(started.map(({ signalCode }) => signalCode)).toEqual([null, "SIGTERM"]);
  });

  test("end well while one of them waits to be started again", async () => {
    const { supervisor, started, reports } = supervise(2, "listens");
    await supervisor.start();
    const [, second] = started;
    second!.kill("SIGKILL");
    await once(second!, "exit");
    expect([reports.length, supervisor.running]).toEqual([1, 1]);
    expect(await supervisor.stop()).toBe(true);
  });

  test("tell their metrics, without one that does not answer", async () => {
    const { supervisor } = supervise(3, "listens", "listens", "silent");
    await supervisor.start();
    const told = (await supervisor.metrics()).filter((values) => values.length > 0);
    expect(told.map(([metric]) => metric!.values[0]!.value).sort((a, b) => a - b)).toEqual([0, 1]);
  });
});

describe("a process that does not answer whether it is alive", () => {
  const ASK_MS = 10_000;
  const CONTINUED = "a process of the server does not answer: it goes on if it was stopped";
  const KILLED = "a process of the server hangs and is killed";
  const AGAIN = "a process of the server ended and is started again";

  /** Its supervisor puts a question whenever the test says so, at once and without a turn of the event loop. */
  async function asked(...behaviours: string[]) {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const supervised = supervise(1, ...behaviours);
    await supervised.supervisor.start();
    const ask = (times: number) => vi.advanceTimersByTime(times * ASK_MS);
    /** Resolves once the process has answered everything. */
    const answers = async () => {
      let told: readonly unknown[] = [];
      while (told.length === 0) told = (await supervised.supervisor.metrics()).flat();
    };
    return { ...supervised, ask, answers };
  }
  afterEach(() => vi.useRealTimers());

  test("is continued where it was stopped (SIGSTOP), and goes on", async () => {
    const { started, said, reports, ask, answers } = await asked("listens");
    started[0]!.kill("SIGSTOP");
    ask(3);
    expect(said, "it may be slow").toEqual([]);
    ask(1);
    expect(said).toEqual([CONTINUED]);
    expect(reports).toEqual([{ child: 0, child_pid: started[0]!.pid }]);
    await answers();
    ask(3);
    expect(said, "it has answered").toEqual([CONTINUED]);
  });

  test("is killed where it hangs, and started again", async () => {
    const { started, said, reports, starts, ask, answers } = await asked("loops", "listens");
    ask(6);
    expect(said).toEqual([CONTINUED]);
    ask(1);
    expect(said).toEqual([CONTINUED, KILLED]);
    ask(10);
    await starts(2);
    expect(said).toEqual([CONTINUED, KILLED, AGAIN]);
    expect(reports.at(-1)).toMatchObject({ child_pid: started[0]!.pid, exit: "SIGKILL" });
    await answers();
    ask(3);
    expect(said, "the next one is asked anew").toHaveLength(3);
  });

  test("is left alone as long as it answers now and then", async () => {
    const { said, ask, answers } = await asked("listens");
    for (let times = 0; times < 3; times++) {
      ask(3);
      await answers();
    }
    expect(said).toEqual([]);
  });

  test("is left to the limit of its end once it is told to end", async () => {
    const { supervisor, said, ask } = await asked("listens");
    const ending = supervisor.stop();
    ask(10);
    expect(await ending).toBe(true);
    expect(said).toEqual([]);
  });
});
