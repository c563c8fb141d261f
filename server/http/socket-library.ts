/**
 * Loads uWebSockets.js, which is native code with a build for each version of Node. The builds are of different ages and
 * differ in one setting, which is fixed here. A missing build is reported in plain words.
 */
import { createRequire } from "node:module";
import type * as uWS from "uWebSockets.js";

/** The longest head of a request that every build takes, in one piece or several. The library's default is 4 KiB. */
export const HEAD_MAX_BYTES = 16 * 1024;
/** The versions of Node that the release in package.json has builds for. */
export const NODE_VERSIONS = "20, 22, 24 and 25";

// The library reads this variable when it is loaded. There is no other way to set it.
process.env["UWS_HTTP_MAX_HEADERS_SIZE"] = String(HEAD_MAX_BYTES);

export const library = load();

function load(): typeof uWS {
  try {
    return createRequire(import.meta.url)("uWebSockets.js") as typeof uWS;
  } catch (error) {
    throw notLoaded(error);
  }
}

/** An error that tells an operator what to do about a library that cannot be loaded. The library's own text is outdated. */
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
