import { statfsSync } from "node:fs";

/** File systems that other machines may write to, by their numbers in Linux (statfs(2), linux/magic.h). */
const NETWORK: ReadonlyMap<number, string> = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB2"],
  [0x01021997, "9P"],
  [0x00c36400, "Ceph"],
  [0x0bd00bd0, "Lustre"],
  [0x47504653, "GPFS"],
  [0x5346414f, "AFS"],
]);

/** The name of the network file system that a folder is on; undefined if it is on none of these. */
export function networkDiskOf(
  folder: string,
  typeOf: (folder: string) => number = (path) => statfsSync(path).type,
): string | undefined {
  return NETWORK.get(typeOf(folder) >>> 0);
}
