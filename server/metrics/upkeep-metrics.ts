import { readdirSync } from "node:fs";
import type { ProcessRegistry } from "./process-registry.ts";

export interface Upkeep {
  /** The folder that `deploy/backup.sh` writes to, if this machine has one. */
  readonly backups?: string | undefined;
  readonly publicUrl?: string | undefined;
}

/** As `deploy/backup.sh` names a backup that is complete: 20260101T033000Z. */
const BACKUP = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;
const CERTIFICATE_EVERY_MS = 60_000;
const CERTIFICATE_LIMIT_MS = 5_000;

/** What has to be done again and again around a server: backups, and the certificate that clients are shown. */
export function addUpkeep(metrics: ProcessRegistry, { backups, publicUrl }: Upkeep): void {
  if (backups !== undefined) {
    const help = "When the newest complete backup was begun; 0 without one.";
    metrics.gauge("hindsight_backup_timestamp_seconds", help, () => newestBackup(backups));
  }
  if (publicUrl?.startsWith("https:") === true) {
    const help = "When the certificate at the public URL ends, as it was shown last.";
    const expiry = certificateAt(new URL(publicUrl));
    metrics.gauge("hindsight_certificate_expiry_timestamp_seconds", help, expiry);
  }
}

function newestBackup(folder: string): number {
  try {
    const names = readdirSync(folder).filter((name) => BACKUP.test(name));
    const instants = names.map((name) => Date.parse(name.replace(BACKUP, "$1-$2-$3T$4:$5:$6Z")));
    return Math.max(0, ...instants) / 1000;
  } catch {
    return 0; // a folder that can't be read isn't a backup either
  }
}

/** Looks once a minute, beside a scrape, which does not wait for it. */
function certificateAt({ hostname, port }: URL): () => number | undefined {
  let seconds: number | undefined;
  let lookedMs = -Infinity;
  const look = async () => {
    const { connect } = await import("node:tls");
    const host = hostname.replaceAll(/[[\]]/g, "");
    const address = { host, port: Number(port || 443), timeout: CERTIFICATE_LIMIT_MS };
    // One that has ended is still shown, and its end is what the metric says.
    const socket = connect({ ...address, servername: host, rejectUnauthorized: false }, () => {
      seconds = Date.parse(socket.getPeerCertificate().valid_to) / 1000;
      socket.destroy();
    });
    socket.on("timeout", () => socket.destroy());
    socket.on("error", () => {}); // the last one seen still ends when it ends
  };
  return () => {
    if (performance.now() - lookedMs > CERTIFICATE_EVERY_MS) {
      lookedMs = performance.now();
      void look();
    }
    return seconds;
  };
}
