import koffi from "koffi";

/**
 * The two system calls that Node lacks: mapping a file into memory shared by all processes, and file locks
 * that end with their process, however it ends.
 *
 * A mapping is never undone: a view that outlived it would crash the process, and the end of the process
 * undoes it anyway.
 */
interface Platform {
  /**
   * `F_OFD_SETLK` and `F_OFD_GETLK`: locks that belong to an open file, not to a process, so that each
   * opening has its own.
   */
  readonly setLock: number;
  readonly getLock: number;
  readonly writeLock: number;
  readonly unlocked: number;
  /** Offsets of the members of `struct flock`: two are 64 bits wide, one is 16. */
  readonly startAt: number;
  readonly lengthAt: number;
  readonly typeAt: number;
}

/** From `fcntl.h` of glibc and musl, and of Darwin (xnu `bsd/sys/fcntl.h`); 64-bit only. */
const PLATFORMS: Readonly<Partial<Record<NodeJS.Platform, Platform>>> = {
  linux: {
    setLock: 37,
    getLock: 36,
    writeLock: 1,
    unlocked: 2,
    startAt: 8,
    lengthAt: 16,
    typeAt: 0,
  },
  darwin: {
    setLock: 90,
    getLock: 92,
    writeLock: 3,
    unlocked: 2,
    startAt: 0,
    lengthAt: 8,
    typeAt: 20,
  },
};
const FLOCK_BYTES = 32;

const PROT_READ_WRITE = 3;
const MAP_SHARED = 1;
const MAP_FAILED = 0xffff_ffff_ffff_ffffn;

interface Libc {
  readonly platform: Platform;
  readonly mmap: (...args: [null, number, number, number, number, number]) => bigint;
  readonly fcntl: (fd: number, command: number, type: "void *", lock: Buffer) => number;
}

let loaded: Libc | undefined;

/**
 * Maps part of a file. What is written to it is with the operating system at once. Offsets must be whole
 * pages.
 */
export function mapShared(fd: number, offset: number, bytes: number): ArrayBuffer {
  const address = libc().mmap(null, bytes, PROT_READ_WRITE, MAP_SHARED, fd, offset);
  if (address === MAP_FAILED) {
    throw new Error(`cannot map ${bytes} bytes of a file at ${offset}: errno ${koffi.errno()}`);
  }
  return koffi.view(address, bytes);
}

/**
 * Locks a byte of an open file; false if another opening of the file holds that lock. `unlockByte` or the end
 * of the process releases it. Closing the file does not, while a part of it is mapped.
 */
export function tryLockByte(fd: number, byte: number): boolean {
  const { platform, fcntl } = libc();
  const lock = lockOf(platform, byte, platform.writeLock);
  return fcntl(fd, platform.setLock, "void *", lock) === 0;
}

export function unlockByte(fd: number, byte: number): void {
  const { platform, fcntl } = libc();
  fcntl(fd, platform.setLock, "void *", lockOf(platform, byte, platform.unlocked));
}

/** Whether another opening of the file holds the lock on a byte. */
export function isByteLocked(fd: number, byte: number): boolean {
  const { platform, fcntl } = libc();
  const lock = lockOf(platform, byte, platform.writeLock);
  if (fcntl(fd, platform.getLock, "void *", lock) !== 0) {
    throw new Error(`cannot read the locks of a file: errno ${koffi.errno()}`);
  }
  return lock.readInt16LE(platform.typeAt) !== platform.unlocked;
}

function lockOf({ startAt, lengthAt, typeAt }: Platform, byte: number, type: number): Buffer {
  const lock = Buffer.alloc(FLOCK_BYTES); // offsets count from the file's beginning: SEEK_SET is 0
  lock.writeBigInt64LE(BigInt(byte), startAt);
  lock.writeBigInt64LE(1n, lengthAt);
  lock.writeInt16LE(type, typeAt);
  return lock;
}

function libc(): Libc {
  if (loaded !== undefined) return loaded;
  const platform = PLATFORMS[process.platform];
  if (platform === undefined) {
    throw new Error(
      `the embedded store needs Linux or macOS, this is "${process.platform}": use --state redis://...`,
    );
  }
  const symbols = koffi.load(null); // the C library is part of every process
  loaded = {
    platform,
    mmap: symbols.func("void *mmap(void *, size_t, int, int, int, int64_t)") as Libc["mmap"],
    fcntl: symbols.func("int fcntl(int, int, ...)") as Libc["fcntl"],
  };
  return loaded;
}
