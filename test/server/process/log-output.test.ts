import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { logOutput, pipeOutput } from "../../../server/process/log-output.ts";

/** A file with room for this many bytes. */
function disk(room: number) {
  const file = { room, text: "", attempts: 0, fault: "ENOSPC" };
  const writeSync = (_: number, bytes: Buffer) => {
    file.attempts++;
    if (file.room === 0) throw Object.assign(new Error(file.fault), { code: file.fault });
    const written = Math.min(file.room, bytes.length);
    file.text += bytes.subarray(0, written).toString();
    file.room -= written;
    return written;
  };
  const write = (fd: number, bytes: Buffer, done: (error: Error | null, n: number) => void) => {
    setTimeout(() => {
      try {
        done(null, writeSync(fd, bytes));
      } catch (error) {
        done(error as Error, 0);
      }
    });
  };
  let pausedMs = 0;
  const pause = (ms: number) => void (pausedMs += ms);
  const output = logOutput(1, { write, writeSync, pause });
  return { file, output, pausedMs: () => pausedMs };
}

/** What a pipe takes whole or not at all. */
const PIPE_WHOLE_BYTES = 4096;

/** A pipe with room for so many bytes, whose reader takes them all each time somebody waits. */
function pipe(size: number) {
  const state = { room: size, text: "", fault: "EAGAIN", reads: true };
  const take = () => void (state.room = state.reads ? size : state.room);
  const writeSync = (_: number, bytes: Buffer) => {
    const isWhole = bytes.length <= state.room || bytes.length <= PIPE_WHOLE_BYTES;
    if (state.room < (isWhole ? bytes.length : 1)) {
      throw Object.assign(new Error(state.fault), { code: state.fault });
    }
    const taken = bytes.subarray(0, state.room);
    state.text += taken.toString();
    state.room -= taken.length;
    return taken.length;
  };
  const write = () => expect.unreachable("a pipe is written to at once");
  let pausedMs = 0;
  const pause = (ms: number) => {
    pausedMs += ms;
    take();
  };
  const output = pipeOutput(1, { write, writeSync, pause });
  return { pipe: state, output, take, pausedMs: () => pausedMs };
}

const SECOND_MS = 1000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("the output of a log", () => {
  test("writes lines in their order, those together that come while one is written", async () => {
    const { file, output } = disk(Infinity);
    for (const line of ["one\n", "two\n", "three\n"]) output.write(line);
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(file).toMatchObject({ text: "one\ntwo\nthree\n", attempts: 2 });
  });

  test("keeps lines while the disk is full, and writes them when there is room", async () => {
    const { file, output } = disk(6);
    output.write("before\n");
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    output.write("meanwhile\n");
    await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
    expect(file.text).toBe("before");
    expect(file.attempts, "half a second apart").toBeLessThan(30);
    file.room = Infinity;
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(file.text).toBe("before\nmeanwhile\n");
  });

  test("keeps no more than 16 MB, the oldest", async () => {
    const { file, output } = disk(0);
    const line = `${"x".repeat(1024 * 1024 - 1)}\n`;
    for (let n = 0; n < 40; n++) output.write(line);
    file.room = Infinity;
    await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
    expect(file.text.length / line.length).toBeLessThanOrEqual(17);
    output.write("last\n");
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    expect(file.text.endsWith("\nlast\n"), "goes on with what comes then").toBe(true);
  });

  test("drops what nobody reads any more", async () => {
    const { file, output } = disk(0);
    file.fault = "EPIPE";
    output.write("one\n");
    await vi.advanceTimersByTimeAsync(10 * SECOND_MS);
    output.write("two\n");
    output.end();
    expect(file.attempts).toBe(1);
  });

  test("writes what waits at the end of the process behind what is under way, and does not wait for room", () => {
    const { file, output, pausedMs } = disk(8);
    output.write("under way\n"); // the system's
    output.write("last\n");
    output.write("of all\n");
    output.end();
    expect(file.text).toBe("last\nof ");
    expect(pausedMs(), "for the write under way").toBe(50);
  });

  test("does not wait at the end of the process for what is written", async () => {
    const { file, output, pausedMs } = disk(Infinity);
    output.write("last\n");
    await vi.advanceTimersByTimeAsync(SECOND_MS);
    output.end();
    expect([file.text, pausedMs()]).toEqual(["last\n", 0]);
  });
});

describe("the output of a log to a pipe", () => {
  test("writes whole lines at once", () => {
    const { pipe: state, output } = pipe(100);
    for (const line of ["one\n", "two\n", "three\n"]) output.write(line);
    expect(state.text).toBe("one\ntwo\nthree\n");
  });

  test("keeps pace with a reader that stops for moments", async () => {
    const { pipe: state, output, take } = pipe(9);
    const lines = Array.from({ length: 100 }, (_, n) => `${n + 100}\n`);
    for (const line of lines) output.write(line);
    expect(state.text).toBe("100\n101\n");
    expect(vi.getTimerCount(), "one attempt is due, however many lines wait").toBe(1);
    for (let n = 0; n < 50; n++) {
      take();
      await vi.advanceTimersByTimeAsync(5);
    }
    expect(state.text).toBe(lines.join(""));
  });

  test("does not hold up the process when very many lines have waited", async () => {
    const { pipe: state, output } = pipe(0);
    const line = `${"x".repeat(99)}\n`;
    for (let n = 0; n < 150_000; n++) output.write(line);
    state.room = Infinity;
    const before = process.cpuUsage();
    await vi.advanceTimersByTimeAsync(5);
    const spentMs = process.cpuUsage(before).user / 1000;
    expect(state.text).toHaveLength(150_000 * line.length);
    expect(spentMs, "a line costs the same however many wait").toBeLessThan(2 * SECOND_MS);
  });

  test("writes a line that is longer than the pipe in pieces", async () => {
    const { pipe: state, output, take } = pipe(PIPE_WHOLE_BYTES);
    const line = `${"x".repeat(3 * PIPE_WHOLE_BYTES)}\n`;
    output.write(line);
    for (let n = 0; n < 3; n++) {
      take();
      await vi.advanceTimersByTimeAsync(5);
    }
    expect(state.text).toBe(line);
  });

  test("counts only what waits against the 16 MB", () => {
    const { pipe: state, output } = pipe(Infinity);
    const line = `${"x".repeat(1024 * 1024 - 1)}\n`;
    for (let n = 0; n < 20; n++) output.write(line);
    expect(state.text.length).toBe(20 * line.length);
  });

  test("gives its reader a second at the end of the process", () => {
    const { pipe: state, output, pausedMs } = pipe(9);
    const lines = Array.from({ length: 20 }, (_, n) => `${n + 100}\n`);
    for (const line of lines) output.write(line);
    output.end();
    expect(state.text).toBe(lines.join(""));
    state.reads = false;
    for (const line of lines) output.write(line);
    const before = pausedMs();
    output.end();
    expect(pausedMs() - before).toBe(SECOND_MS);
  });

  test("drops what nobody reads any more", () => {
    const { pipe: state, output, pausedMs } = pipe(0);
    state.fault = "EPIPE";
    output.write("one\n");
    state.room = 100;
    output.write("two\n");
    output.end();
    expect([state.text, pausedMs()]).toEqual(["", 0]);
  });
});
