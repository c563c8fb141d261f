import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { logOutput } from "../../server/log-output.ts";

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
  return { file, output: logOutput(1, { write, writeSync }) };
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

  test("writes what waits at the end of the process, and does not wait for room", () => {
    const { file, output } = disk(8);
    output.write("under way\n"); // the system's
    output.write("last\n");
    output.write("of all\n");
    output.end();
    expect(file.text).toBe("last\nof ");
  });
});
