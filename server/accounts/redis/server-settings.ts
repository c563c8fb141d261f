import type { RedisLink } from "../../redis/redis-link.ts";

/** The oldest Redis this is tested with. */
const OLDEST_MAJOR = 7;

/** How far this machine's clock may be from Redis's. */
const CLOCK_APART_MAX_MS = 2_000;

/** What an operator should change about a Redis so that it loses nothing it has answered. */
export async function settingsFaults(
  link: RedisLink,
  withinMs: number,
): Promise<readonly string[]> {
  const info = String(await link.call("INFO", [], withinMs));
  const told = (name: string) =>
    new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1] ?? "unknown";
  const [version, policy] = [told("redis_version"), told("maxmemory_policy")];
  const faults: string[] = [];
  const sync = await appendSync(link, withinMs);
  if (told("aof_enabled") !== "1") {
    faults.push(`"appendonly" is off: accounts and usage since its last snapshot go when it ends`);
  } else if (sync !== undefined && sync !== "everysec" && sync !== "always") {
    faults.push(`"appendfsync" is "${sync}": a power loss takes more than the last second`);
  }
  if (policy !== "noeviction") {
    faults.push(`"maxmemory-policy" is "${policy}": a full Redis throws accounts away`);
  }
  if (Number.parseInt(version, 10) < OLDEST_MAJOR) {
    faults.push(`its version is ${version}: the oldest this is tested with is ${OLDEST_MAJOR}`);
  }
  return faults;
}

/** What is wrong with the clocks: a server whose own clock is off charges the wrong month at its turn. */
export async function clockFaults(
  link: RedisLink,
  withinMs: number,
  nowMs: () => number,
): Promise<readonly string[]> {
  const [seconds, micros] = (await link.call("TIME", [], withinMs)) as [string, string];
  const apartMs = nowMs() - Number(seconds) * 1000 - Math.floor(Number(micros) / 1000);
  if (Math.abs(apartMs) <= CLOCK_APART_MAX_MS) return [];
  const apart = `${Math.round(Math.abs(apartMs) / 1000)} s ${apartMs > 0 ? "ahead of" : "behind"}`;
  return [
    `this machine's clock is ${apart} that of Redis: months and trials go by each server's own clock, so let both keep the time (chrony)`,
  ];
}

/** Undefined where a managed Redis forbids `CONFIG`, which alone tells it. */
async function appendSync(link: RedisLink, withinMs: number): Promise<string | undefined> {
  try {
    const reply = (await link.call("CONFIG", ["GET", "appendfsync"], withinMs)) as string[];
    return reply[1];
  } catch (error) {
    if (!link.open) throw error;
    return undefined;
  }
}
