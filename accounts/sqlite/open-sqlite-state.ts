import { SqliteState, type SqliteStateOptions } from "./sqlite-state.ts";
import { cannotOpen, openStateFile } from "./state-file.ts";

/** Opens a state file and makes this process its owner. Throws `AccountsRefused` if another process owns it. */
export function openSqliteState(options: SqliteStateOptions): SqliteState {
  const owned = openStateFile(options.file, { mustExist: options.mustExist });
  try {
    return new SqliteState(owned, options);
  } catch (error) {
    owned.close();
    throw cannotOpen(owned.file, error);
  }
}
