import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { JobCalls } from "../../../server/jobs/served-jobs.ts";
import {
  BacktestProcess,
  type BacktestProcessOptions,
} from "../../../server/process/backtest-process.ts";
import { until } from "../../support/until.ts";

const CHILD = fileURLToPath(new URL("../../support/backtest-child.mjs", import.meta.url));
const AGAIN = "the backtest process ended and is started again";
const HANGS = "the backtest process hangs and is killed";

const open: BacktestProcess[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const each of open.splice(0)) await each.stop();
});

/** A process that behaves as given, in the order of its starts; the last behaviour applies to all further ones. */
function processOf(behaviours: readonly string[], options: Partial<BacktestProcessOptions> = {}) {
  const started: ChildProcess[] = [];
  const logged: { message: string; details: Record<string, unknown> }[] = [];
  const backtests = new BacktestProcess({
    start() {
      const behaviour = behaviours[started.length] ?? behaviours.at(-1) ?? "";
      const execPath = behaviour === "is not made" ? "/no/such/program" : process.execPath;
      const child = fork(CHILD, [behaviour], { execArgv: [], execPath, serialization: "advanced" });
      started.push(child);
      return child;
    },
    log: {
      error: (details: Record<string, unknown>, message: string) =>
        void logged.push({ message, details }),
    },
    monotonicMs: () => 0,
    restartMs: 1,
    ...options,
  });
  open.push(backtests);
  const messages = () => logged.map(({ message }) => message);
  /** Resolves once it has been started this often and listens to messages. */
  const begun = async (times: number) => {
    await until(() => started.length >= times);
    await once(started[times - 1]!, "message");
  };
  return { backtests, started, logged, messages, begun };
}

/** One that was started and listens to messages. */
async function working(...given: Parameters<typeof processOf>) {
  const made = processOf(...given);
  made.backtests.start();
  await made.begun(1);
  return made;
}

describe("the backtest process", () => {
  test("is started, has metrics, and ends well", async () => {
    const { backtests, logged, begun } = processOf(["works"]);
    expect(await backtests.metrics()).toEqual([]);
    backtests.start();
    await begun(1);
    expect(await backtests.metrics()).toMatchObject([{ name: "n", values: [{ value: 1 }] }]);
    expect(await backtests.stop()).toBe(true);
    expect(logged).toEqual([]);
  });

  test("is not started after a stop", async () => {
    const { backtests, started } = processOf(["works"]);
    expect(await backtests.stop()).toBe(true);
    backtests.start();
    expect(started).toEqual([]);
  });

  test("makes its calls on the jobs of the server", async () => {
    const job = { id: 7 };
    const served = {
      requeue: vi.fn<() => void>(),
      claim: vi.fn<() => object>(() => job),
      release: vi.fn<() => void>(),
    };
    const { backtests, begun } = processOf(["works"], {
      served: served as unknown as JobCalls & { requeue(): void },
    });
    backtests.start();
    expect(served.requeue, "what the process before it held").toHaveBeenCalledOnce();
    await begun(1);
    backtests.wake();
    await until(() => served.release.mock.calls.length > 0);
    expect(served.claim).toHaveBeenCalledWith(5, ["s1"]);
    expect(served.release).toHaveBeenCalledWith(job, "left");
  });

  test("is started again when it ends by itself, later and later", async () => {
    const { backtests, started, logged } = processOf(["fails"]);
    backtests.start();
    await until(() => logged.length >= 4);
    await backtests.stop();
    expect(logged.slice(0, 4)).toMatchObject(
      [1, 2, 4, 8].map((ms) => ({ message: AGAIN, details: { exit: 3, wait_ms: ms } })),
    );
    expect(started.length).toBeGreaterThanOrEqual(4);
    expect(backtests.faultOn("s1")).toContain("ends again and again");
  });

  test("is started again as soon as the first time after a minute of life", async () => {
    let nowMs = 0;
    const { backtests, started, logged, begun } = processOf(["works"], {
      monotonicMs: () => nowMs,
    });
    backtests.start();
    for (const times of [1, 2, 3]) {
      await begun(times);
      nowMs += 60_000;
      started[times - 1]!.kill("SIGKILL");
    }
    await until(() => logged.length === 3);
    expect(logged.map(({ details }) => details["wait_ms"])).toEqual([1, 1, 1]);
  });

  test("is started again if the system had no process to give", async () => {
    const { backtests, logged, begun } = processOf(["is not made", "works"]);
    backtests.start();
    await begun(2);
    expect(logged).toMatchObject([
      { message: AGAIN, details: { exit: expect.stringContaining("ENOENT") } },
    ]);
  });

  test("is started again if its jobs could not be queued again at first", async () => {
    const requeue = vi.fn<() => void>().mockImplementationOnce(() => {
      throw new Error("database or disk is full");
    });
    const { messages } = await working(["works"], {
      served: { requeue } as unknown as JobCalls & { requeue(): void },
    });
    expect(messages()).toEqual([AGAIN]);
    expect(requeue).toHaveBeenCalledTimes(2);
  });

  test("ends well although it was stopped (SIGSTOP)", async () => {
    const { backtests, started } = await working(["works"]);
    started[0]!.kill("SIGSTOP");
    expect(await backtests.stop()).toBe(true);
  });

  test.each([
    ["stumbles", { exit: 4 }, {}],
    ["hangs", { exit: "SIGKILL" }, { stopLimitMs: 20 }],
  ])("is reported if it %s at its end", async (behaviour, details, options) => {
    const { backtests, logged } = await working([behaviour], options);
    expect(await backtests.stop()).toBe(false);
    expect(logged.at(-1)).toMatchObject({
      message: "the backtest process did not end well",
      details,
    });
  });

  test("is killed if it answers no question for a minute, and started again", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { messages, begun } = await working(["loops", "works"]);
    vi.advanceTimersByTime(60_000);
    expect(messages()).toEqual([]);
    vi.advanceTimersByTime(10_000);
    expect(messages()).toEqual([HANGS]);
    await begun(2);
    expect(messages()).toEqual([HANGS, AGAIN]);
  });

  test("is left alone as long as it answers now and then", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { backtests, messages } = await working(["works"]);
    for (let times = 0; times < 3; times++) {
      vi.advanceTimersByTime(50_000);
      while ((await backtests.metrics()).length === 0) continue;
    }
    expect(messages()).toEqual([]);
  });

  test.runIf(process.platform === "linux")("has a low priority, all of its threads", async () => {
    const { started } = await working(["works"]);
    const { pid } = started[0]!;
    const niceOf = (thread: string) => {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
      return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]; // proc(5)
    };
    expect(new Set(readdirSync(`/proc/${pid}/task`).map(niceOf))).toEqual(new Set(["15"]));
  });
});
