/**
 * uWebSockets.js: native code, with a build for each version of Node, and builds of two ages. So it is loaded here, with
 * the one setting in which these differ, and a missing build is reported in plain words.
 */
import { createRequire } from "node:module";
import type * as uWS from "uWebSockets.js";

/** The longest head that every build takes, in however many pieces it comes. By itself the library takes 4 KiB. */
export const HEAD_MAX_BYTES = 16 * 1024;
/** The versions of Node that the release in package.json has builds for. */
export const NODE_VERSIONS = "20, 22, 24 and 25";

/** The library reads this as it is loaded, and from nowhere else. */
process.env["UWS_HTTP_MAX_HEADERS_SIZE"] = String(HEAD_MAX_BYTES);

export const library = load();

function load(): typeof uWS {
  try {
    return createRequire(import.meta.url)("uWebSockets.js") as typeof uWS;
  } catch (error) {
    throw notLoaded(error);
  }
}

/** What an operator can do about a library that does not load. Its own text lists versions of Node that are too old. */
export function notLoaded(error: unknown): Error {
  const text = error instanceof Error ? error.message : String(error);
  const node = `Node ${process.versions.node} on ${process.platform} ${process.arch}`;
  const libc = /version `(GLIBC_[\d.]+)' not found/.exec(text)?.[1];
  if (libc !== undefined) {
    const needs = `the build of uWebSockets.js for ${node} needs ${libc}, which this system does not have`;
    return new Error(`${needs}; its build for Node 20 needs GLIBC_2.27`, { cause: error });
  }
  if (/Cannot find module '\.\/uws_/.test(text)) {
    const builds = `it has some for Node ${NODE_VERSIONS}`;
    return new Error(`uWebSockets.js has no build for ${node}: ${builds}`, { cause: error });
  }
  return new Error(`uWebSockets.js cannot be loaded: ${text}`, { cause: error });
}
