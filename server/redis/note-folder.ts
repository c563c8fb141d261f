import { randomBytes } from "node:crypto";
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";

const ID_BYTES = 9;
/** After this long, what a note describes means nothing to Redis any more. */
const KEPT_MS = 30 * 86_400_000;
/**
 * Notes are forced to the disk in groups. Forcing each one by itself would hold up the next note's write,
 * which is on the event loop, because they share the file system's journal.
 */
const FORCE_MS = 1_000;

export interface NoteFolderOptions {
  /** Made if missing; undefined to write nothing. */
  readonly folder: string | undefined;
  /** The beginning of these notes' file names: several kinds may share a folder. */
  readonly kind: string;
  /** The instant that retention goes by: see `RetentionClock`. */
  readonly retentionMs: () => number | undefined;
  readonly warn: (message: string) => void;
}

/**
 * Notes on the machine's own disk, one file each, which outlive the process that wrote them. A note is there
 * whole or not at all. It is with the operating system when `write` returns, so it survives a kill. Notes are
 * forced to the disk once a second without anybody waiting, so a power loss takes those of the last second.
 */
export class NoteFolder {
  readonly #options: NoteFolderOptions;
  readonly #name: RegExp;
  /** Files not known to be on the disk yet. */
  readonly #unforced: string[] = [];
  #usable = true;

  constructor(options: NoteFolderOptions) {
    this.#options = options;
    this.#name = new RegExp(`^${options.kind}-[0-9a-f]+\\.json$`);
    const { folder } = options;
    if (folder === undefined) return;
    this.#attempt(() => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    });
  }

  /**
   * Writes a note under a temporary name, renames it and returns its name, even if it could not be written.
   */
  write(note: object): string {
    const { folder, kind } = this.#options;
    const name = `${kind}-${randomBytes(ID_BYTES).toString("hex")}.json`;
    if (folder === undefined) return name;
    this.#attempt(() => {
      const aside = join(folder, `${name}.new`);
      writeFileSync(aside, JSON.stringify(note), { mode: 0o600 });
      renameSync(aside, join(folder, name));
      this.#forceSoon(join(folder, name), folder);
    });
    return name;
  }

  /**
   * The names of all notes of this kind, whoever wrote them. Removes notes that are a month old, unless the clock
   * is in doubt.
   */
  list(): readonly string[] {
    const { folder, retentionMs } = this.#options;
    if (folder === undefined) return [];
    const nowMs = retentionMs() ?? Number.NEGATIVE_INFINITY;
    const names: string[] = [];
    this.#attempt(() => {
      for (const file of readdirSync(folder)) {
        if (!file.startsWith(`${this.#options.kind}-`)) continue;
        const stat = statSync(join(folder, file), { throwIfNoEntry: false });
        if (stat === undefined) continue; // another process has just removed it
        if (nowMs - stat.mtimeMs > KEPT_MS) rmSync(join(folder, file), { force: true });
        else if (this.#name.test(file)) names.push(file);
      }
    });
    return names;
  }

  /** A note by its name; undefined if it is gone or is not a note. */
  read(name: string): unknown {
    try {
      return JSON.parse(readFileSync(join(this.#options.folder ?? "", name), "utf8"));
    } catch {
      return undefined;
    }
  }

  remove(name: string): void {
    const { folder } = this.#options;
    if (folder !== undefined) this.#attempt(() => rmSync(join(folder, name), { force: true }));
  }

  #forceSoon(file: string, folder: string): void {
    this.#unforced.push(file);
    if (this.#unforced.length > 1) return; // already scheduled
    setTimeout(() => void forced([...this.#unforced.splice(0), folder]), FORCE_MS).unref();
  }

  /** Does the work. A folder that cannot be used is reported once, and again only if it worked in between. */
  #attempt(work: () => void): void {
    try {
      work();
      this.#usable = true;
    } catch (error) {
      if (this.#usable) {
        const { folder, kind, warn } = this.#options;
        const reason = error instanceof Error ? error.message : String(error);
        warn(
          `notes of ${kind} that Redis did not answer cannot be kept in "${folder}" (${reason}): what is answered 503 just before this server is killed may stay charged; name a folder that can be written with --notes`,
        );
      }
      this.#usable = false;
    }
  }
}

/**
 * Forces files and folders to the disk. One that cannot be forced, or is gone by now, stays as safe as it is.
 */
async function forced(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const file = await open(path, "r").catch(() => undefined);
    await file?.sync().catch(() => {});
    await file?.close().catch(() => {});
  }
}
