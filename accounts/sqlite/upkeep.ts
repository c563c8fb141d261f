import { RepeatingTask } from "../../aside/repeating-task.ts";
import type { AccountsClock } from "../accounts.ts";
import { DAY_MS, dateOf } from "../in-force.ts";
import type { KeyUse } from "../key-use.ts";
import { CALLS_KEPT_DAYS, type ChargeLog } from "./charge-log.ts";
import type { SqliteRecords } from "./sqlite-records.ts";
import type { WalSync } from "./wal-sync.ts";

/** The interval at which expired rows are deleted, such as links and sessions. */
const PRUNE_MS = 3_600_000;
/** Rows of `calls` that are deleted in one round. */
const CUT_ROWS_MAX = 500;

interface UpkeepOptions {
  readonly log: ChargeLog;
  readonly records: SqliteRecords;
  readonly keyUse: KeyUse;
  readonly disk: WalSync;
  readonly nowMs: AccountsClock["nowMs"];
  readonly warn: (reason: string) => void;
}

/** What a state file needs beside requests: its log is folded, old rows are deleted, and it is forced to the disk. */
export class Upkeep {
  readonly #options: UpkeepOptions;
  readonly #rounds: RepeatingTask;
  /** What `examine` found wrong with the file. */
  damage: string | undefined;
  #prunedMs: number;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    this.#prunedMs = options.nowMs();
    this.#rounds = new RepeatingTask(() => this.#round(), options.warn);
  }

  start(everyMs: number): void {
    this.#rounds.start(everyMs);
  }

  round(): Promise<void> {
    return this.#rounds.next();
  }

  async examine(): Promise<void> {
    const { disk, warn } = this.#options;
    const damage = await disk.examine();
    if (damage === undefined) return;
    this.damage = `the state file is damaged (${damage}): restore a backup`;
    warn(this.damage);
  }

  /** Does the last round. */
  async stop(): Promise<void> {
    await this.#rounds.stop();
    await this.round();
    await this.#options.disk.close().catch((error: Error) => this.#options.warn(error.message));
  }

  /** After a failure, the rows stay for the next round. */
  async #round(): Promise<void> {
    const { log, records, keyUse, disk } = this.#options;
    const nowMs = this.#options.nowMs();
    await keyUse.write();
    await log.fold();
    log.forgetBefore(Math.floor(nowMs / 1000));
    log.cutCalls(dateOf(nowMs - CALLS_KEPT_DAYS * DAY_MS), CUT_ROWS_MAX);
    if (Math.abs(nowMs - this.#prunedMs) >= PRUNE_MS) {
      this.#prunedMs = nowMs;
      records.prune(nowMs);
    }
    await disk.round();
  }
}
