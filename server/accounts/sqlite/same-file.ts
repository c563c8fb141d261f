import { statSync, type BigIntStats } from "node:fs";
import { stat } from "node:fs/promises";

/**
 * Notices that a file is not the one at its path any more: it was removed, or another was put in its place.
 * Who has it open goes on writing to it, and all of that is gone when the last one closes it.
 */
export class SameFile {
  readonly #file: string;
  readonly #opened: BigIntStats;

  /** `file` is open already. */
  constructor(file: string) {
    this.#file = file;
    this.#opened = statSync(file, { bigint: true });
  }

  /** True as long as nothing shows the contrary: a folder that cannot be read says nothing. */
  async isThere(): Promise<boolean> {
    try {
      const found = await stat(this.#file, { bigint: true });
      return found.ino === this.#opened.ino && found.dev === this.#opened.dev;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code !== "ENOENT";
    }
  }
}
