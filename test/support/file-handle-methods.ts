import { open, type FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";

/** The prototype of all file handles, for tests that stand in for the disk. */
export async function fileHandleMethods(): Promise<FileHandle> {
  const any = await open(tmpdir(), "r");
  await any.close();
  return Object.getPrototypeOf(any) as FileHandle;
}
