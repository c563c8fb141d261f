import { createHash } from "node:crypto";

/** A Lua script that is run by its hash. It is loaded with the connection: resending it would change the order of calls. */
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
