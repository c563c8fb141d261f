import { HEADER, SEAT_LOCK_BYTE, SEATS } from "./meter-layout.ts";
import { isByteLocked, tryLockByte, unlockByte } from "./shared-memory.ts";

/**
 * Identifies a process to the others that use a meter file. A seat is a lock on a byte of the file. The
 * operating system releases it when the process ends, however it ends. The token, which marks records as
 * locked, combines the seat with the number of times it was taken, so that a later holder has another token.
 */
const SEAT_BITS = 8;
const TIMES_MASK = 0x7f_ffff;

export class MeterSeat {
  /** Positive, and never shared with another process (until a seat has been taken eight million times). */
  readonly token: number;
  /** The number of this boot of the machine. */
  readonly boot: number;
  readonly #fd: number;
  readonly #header: Int32Array;

  /** Takes a free seat. */
  constructor(fd: number, header: Int32Array) {
    this.#fd = fd;
    this.#header = header;
    this.boot = header[HEADER.boot]!;
    const seat = freeSeat(fd);
    let token = 0;
    while (token === 0) {
      Atomics.add(header, HEADER.seats + seat, 1);
      token = this.#tokenOf(seat);
    }
    this.token = token;
  }

  /** Whether the process with this token has ended. */
  isGone(token: number): boolean {
    const seat = token & (SEATS - 1);
    if (this.#tokenOf(seat) !== token) return true;
    return token !== this.token && !isByteLocked(this.#fd, SEAT_LOCK_BYTE + seat);
  }

  /** Gives the seat up. */
  leave(): void {
    unlockByte(this.#fd, SEAT_LOCK_BYTE + (this.token & (SEATS - 1)));
  }

  #tokenOf(seat: number): number {
    const times = Atomics.load(this.#header, HEADER.seats + seat);
    return ((times & TIMES_MASK) << SEAT_BITS) | seat;
  }
}

function freeSeat(fd: number): number {
  for (let seat = 0; seat < SEATS; seat++) {
    if (tryLockByte(fd, SEAT_LOCK_BYTE + seat)) return seat;
  }
  throw new Error(`more than ${SEATS} processes have the state file open`);
}
