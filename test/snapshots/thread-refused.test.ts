import { setImmediate } from "node:timers/promises";
import { expect, test, vi } from "vitest";
import type * as Reading from "../../snapshots/file-reader.ts";
import { ReadAhead } from "../../snapshots/read-ahead.ts";
import { verifySnapshot } from "../../snapshots/verify.ts";
import { runSmall, useSnapshotFolders } from "../support/snapshot-market.ts";

/** A system that starts no more threads: Node throws from the constructor. */
vi.mock("node:worker_threads", async (original) => ({
  ...(await original<object>()),
  Worker: function refuse() {
    throw Object.assign(new Error("EAGAIN"), { code: "ERR_WORKER_INIT_FAILED" });
  },
}));
/** From sources there is no thread by default. */
vi.mock("../../snapshots/file-reader.ts", async (original) => {
  const { FileReader } = await original<typeof Reading>();
  return {
    FileReader: class extends FileReader {
      constructor(how: { readonly quietly?: boolean } = {}) {
        super({ ...how, threaded: true });
      }
    },
  };
});

const folder = useSnapshotFolders();

test("a thread that the system refuses fails the opening of the snapshot, in plain words", async () => {
  const { dir } = await runSmall(folder());
  const ahead = new ReadAhead(folder());
  await setImmediate(); // an unhandled error would end the process
  const refused = "the system starts no thread to read the snapshot (EAGAIN)";
  await expect(ahead.take(dir)).rejects.toThrow(refused);
  await expect(new ReadAhead(folder()).close()).resolves.toBeUndefined();
  await expect(verifySnapshot(dir), "which says nothing of the snapshot").rejects.toThrow(refused);
});
