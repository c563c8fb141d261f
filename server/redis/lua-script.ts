import { createHash } from "node:crypto";

/**
 * A Lua script, run by its hash. It is loaded when a connection is made, never sent again by a
 * fallback: a command that is sent twice would come out of its turn.
 */
export interface LuaScript {
  /** For messages. */
  readonly name: string;
  readonly text: string;
  readonly sha: string;
}

export function luaScript(name: string, text: string): LuaScript {
  // Redis names scripts by SHA-1; nothing secret is behind it.
  return { name, text, sha: createHash("sha1").update(text).digest("hex") };
}
