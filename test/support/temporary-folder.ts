import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A folder for the tests of a file, removed when they are over and all that they started has ended. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `hindsight-${name}-`));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
