import type { Kind, Kinds } from "../records.ts";

/**
 * The field of each member of a record in its hash, the one that every such hash has first. Members that end in `Ms`, and
 * `taken`, are numbers, and null is a field that is missing. `revision`: the fields of which a change changes one. A change of
 * a key raises the `rev` of its account.
 */
const HASHES = {
  account: {
    fields: { email: "email", plan: "plan", createdMs: "created", suspendedMs: "suspended" },
    revision: ["rev"],
  },
  key: {
    fields: {
      id: "id",
      accountId: "account",
      name: "name",
      env: "env",
      prefix: "prefix",
      lastFour: "last4",
      createdMs: "created",
      lastUsedMs: "used",
      expiresMs: "expires",
      revokedMs: "revoked",
    },
    revision: [],
  },
  link: {
    fields: {
      purpose: "purpose",
      accountId: "account",
      sealed: "sealed",
      createdMs: "created",
      usedBy: "used",
    },
    revision: ["account", "used"],
  },
  session: {
    fields: { accountId: "account", device: "device", createdMs: "created", lastDay: "day" },
    revision: ["account"],
  },
  share: { fields: { untilMs: "until", taken: "taken" }, revision: ["taken", "until"] },
} satisfies Readonly<
  Record<Kind, { fields: Readonly<Record<string, string>>; revision: string[] }>
>;

const NUMBER = /Ms$|^taken$/;

export const keyName = (kind: Kind, id: string) => `hs:${kind}:${id}`;

export const revisionOf = (kind: Kind): readonly string[] => HASHES[kind].revision;

/** The record that a hash has; undefined if there is none. */
export function recordOf<K extends Kind>(
  kind: K,
  id: string,
  texts: ReadonlyMap<string, string>,
): Kinds[K] | undefined {
  const members = Object.entries(HASHES[kind].fields);
  if (!texts.has(members[0]![1])) return undefined; // each kind has one
  const values = members.map(([member, field]) => [member, valueOf(member, texts.get(field))]);
  const own = kind === "account" ? { id } : kind === "session" ? { hash: id } : {};
  return { ...own, ...Object.fromEntries(values) } as Kinds[K];
}

/** The fields of a record with their texts; undefined for one that its hash lacks. */
export function textsOf<K extends Kind>(
  kind: K,
  record: Kinds[K],
): readonly (readonly [field: string, text: string | undefined])[] {
  const values = record as unknown as Readonly<Record<string, string | number | null>>;
  return Object.entries(HASHES[kind].fields).map(([member, field]) => {
    const value = values[member] ?? undefined;
    return [field, value === undefined && member === "accountId" ? "" : value?.toString()];
  });
}

function valueOf(member: string, text: string | undefined): string | number | null {
  if (member === "name") return text ?? ""; // keys of 1.0.0 have none
  if (text === undefined || (text === "" && member === "accountId")) return null;
  return NUMBER.test(member) ? Number(text) : text;
}
