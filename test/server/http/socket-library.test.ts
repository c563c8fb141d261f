import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { expect, onTestFinished, test } from "vitest";
import { HEAD_MAX_BYTES, NODE_VERSIONS, notLoaded } from "../../../server/http/socket-library.ts";
import { builtScript } from "../../support/built-script.ts";
import { sendRaw } from "../../support/http-raw.ts";

const HERE = `Node ${process.versions.node} on ${process.platform} ${process.arch}`;
/** What the library itself says, before the reason: versions of Node that nothing else here runs on. */
const LIBRARY_SAYS =
  "This version of uWS.js supports only Node.js versions 16, 18, 20, 21, 22, 24 and 25\n\n";

test("a version of Node without a build is named, with those that have one", () => {
  const missing =
    "Error: Cannot find module './uws_linux_x64_147.node'\nRequire stack:\n- /x/uws.js";
  expect(notLoaded(new Error(LIBRARY_SAYS + missing)).message).toBe(
    `uWebSockets.js has no build for ${HERE}: it has some for Node ${NODE_VERSIONS}`,
  );
});

test("names what a system too old for the build lacks", () => {
  const old = "Error: /lib/libc.so.6: version `GLIBC_2.38' not found (required by /x/uws.node)";
  expect(notLoaded(new Error(LIBRARY_SAYS + old)).message).toBe(
    `the build of uWebSockets.js for ${HERE} needs GLIBC_2.38, which this system does not have; its build for Node 20 needs GLIBC_2.27`,
  );
});

test("any other reason is passed on", () => {
  expect(notLoaded(new Error("EACCES")).message).toBe("uWebSockets.js cannot be loaded: EACCES");
});

test("package.json asks for the versions of Node that the library has builds for", () => {
  const { engines } = createRequire(import.meta.url)("../../../package.json");
  const majors = [...String(engines.node).matchAll(/\^(\d+)/g)].map(([, major]) => major);
  expect(`${majors.slice(0, -1).join(", ")} and ${majors.at(-1)}`).toBe(NODE_VERSIONS);
});

/** Threads cannot write the environment that the library reads, so its limit is tried in a process of its own. */
test("a head of 16 KiB is taken in pieces as in one, and a longer one in pieces is 431", async () => {
  const library = builtScript("dev/run").replace(
    /scripts.dev.run\.js$/,
    "server/http/socket-library.js",
  );
  const program = `
    const { library: uWS } = await import(process.argv[1]);
    const app = uWS.App().any("/*", (res, req) => res.end(String(req.getHeader("x").length)));
    app.listen("127.0.0.1", 0, (socket) =>
      process.stdout.write(String(uWS.us_socket_local_port(socket))));`;
  const args = ["--input-type=module", "-e", program, library];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [said] = (await once(child.stdout, "data")) as [Buffer];
  const ask = async (bytes: number, piece: number) => {
    const start = "GET / HTTP/1.1\r\nHost: a\r\nX: ";
    const head = `${start}${"x".repeat(bytes - start.length - 4)}\r\n\r\n`;
    const pieces = head.match(new RegExp(`[^]{1,${piece}}`, "g")) ?? [];
    const { text } = await sendRaw(Number(said), pieces);
    return Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]);
  };
  const most = HEAD_MAX_BYTES - 64;
  expect([await ask(most, most), await ask(most, 5000), await ask(most, most - 2)]).toEqual([
    200, 200, 200,
  ]);
  expect(await ask(HEAD_MAX_BYTES + 64, 5000)).toBe(431);
});
