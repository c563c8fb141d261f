import { readFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem, type } from "node:os";

/** What one must know about the machine for a figure to mean anything. */
interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory_gib: number;
  readonly system: string;
  readonly node: string;
  /** Mean number of runnable processes in the minute before the benchmark: other work disturbs it. */
  readonly load_before: number;
}

export function machineOf(): Machine {
  const [cpu, ...others] = cpus();
  return {
    cpu: cpu?.model.trim() ?? "unknown",
    cores: others.length + 1,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    system: `${distribution()}${type()} ${release()}`,
    node: process.version,
    load_before: Math.round((loadavg()[0] ?? 0) * 100) / 100,
  };
}

function distribution(): string {
  try {
    const name = /^PRETTY_NAME="?([^"\n]+)/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1];
    return name === undefined ? "" : `${name}, `;
  } catch {
    return ""; // not Linux
  }
}
