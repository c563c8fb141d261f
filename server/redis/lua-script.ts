import { createHash } from "node:crypto";

/** A Lua script, run by its hash. It is loaded with the connection, since a command sent twice would lose its place. */
export interface LuaScript {
  /** For messages. */
  readonly name: string;
  readonly text: string;
  readonly sha: string;
}

export function luaScript(name: string, text: string): LuaScript {
  // Redis names scripts by SHA-1; nothing secret depends on it.
  return { name, text, sha: createHash("sha1").update(text).digest("hex") };
}
