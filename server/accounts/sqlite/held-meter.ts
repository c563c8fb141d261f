import type { KeyEnvironment } from "../accounts.ts";
import { periodCode, type Stamp } from "./meter-stamp.ts";
import type { Meter } from "./meter.ts";

/** Another process is working on a record and takes long. Try again, as with SQLite's own lock. */
export class MeterBusy extends Error {
  override readonly name = "MeterBusy";
  readonly code = "SQLITE_BUSY_METER";

  constructor() {
    super("another process is at work on the account's meter");
  }
}

/** A record locked by a transaction, and the changes it takes on when that transaction commits. */
export class HeldMeter {
  readonly meter: Meter;
  readonly #live: HeldAllowance;
  readonly #test: HeldAllowance;
  #isDisturbed = false;

  constructor(meter: Meter) {
    this.meter = meter;
    this.#live = new HeldAllowance(meter, "live");
    this.#test = new HeldAllowance(meter, "test");
  }

  of(env: KeyEnvironment): HeldAllowance {
    return env === "live" ? this.#live : this.#test;
  }

  /** Usage was moved by other means: processes must drop what they remember and read it again. */
  disturb(): void {
    this.#isDisturbed = true;
  }

  apply(): void {
    if (this.#isDisturbed) {
      this.meter.suspect();
      return;
    }
    this.#live.apply();
    this.#test.apply();
  }
}

/** One of the two allowances of a held record. */
export class HeldAllowance {
  readonly #meter: Meter;
  readonly #env: KeyEnvironment;
  #stamp: Stamp;
  #total: number | undefined;
  #epoch: number;
  #isReopened = false;
  #isChanged = false;

  constructor(meter: Meter, env: KeyEnvironment) {
    this.#meter = meter;
    this.#env = env;
    this.#stamp = meter.stamp(env);
    ({ total: this.#total, epoch: this.#epoch } = meter.state(env));
  }

  get stamp(): Stamp {
    return this.#stamp;
  }

  /** Undefined if it has to be added up again. */
  get total(): number | undefined {
    return this.#total;
  }

  /** The epoch in force; if this transaction opened the allowance, the one that the commit brings. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Whether this transaction has opened the allowance already. */
  get isReopened(): boolean {
    return this.#isReopened;
  }

  reopen(stamp: Stamp, total: number): void {
    this.#stamp = stamp;
    this.#total = total;
    this.#isReopened = true;
  }

  /** A row added units to a period, or took some back. */
  change(period: string, units: number): void {
    if (this.#total === undefined || this.#stamp.period !== periodCode(period)) return;
    this.#total = Math.max(0, this.#total + units);
    this.#isChanged = true;
  }

  apply(): void {
    if (this.#total === undefined) return;
    if (this.#isReopened) this.#epoch = this.#meter.open(this.#env, this.#stamp, this.#total);
    else if (this.#isChanged) this.#meter.setTotal(this.#env, this.#total);
  }
}
