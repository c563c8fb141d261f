import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { ThreadPages } from "../../../server/pages/thread-pages.ts";
import { until } from "../../support/until.ts";

/** A thread as `makePages` makes it, with pages that are their own paths, and the order in which they are made. */
const CODE = `
  const { parentPort, workerData } = require("node:worker_threads");
  const { gzipSync } = require("node:zlib");
  const left = new Set(workerData.paths);
  if (workerData.fails) throw new Error("the thread cannot start");
  const made = [];
  const make = (path) => {
    left.delete(path);
    made.push(path);
    const isBroken = path === "/broken" && workerData.starts === 1;
    parentPort.postMessage([path, isBroken ? new Error("a defect") : gzipSync(path + " " + made.join())]);
  };
  const next = () => {
    const [path] = left;
    if (path === undefined) parentPort.close();
    else { make(path); setImmediate(next); }
  };
  parentPort.on("message", make);
  next();
`;

function pagesOf(paths: readonly string[], { fails = 0 } = {}) {
  const started: (readonly string[])[] = [];
  const pages = new ThreadPages(paths, (wanted) => {
    started.push(wanted);
    const workerData = { paths: wanted, starts: started.length, fails: started.length <= fails };
    return new Worker(CODE, { eval: true, workerData });
  });
  const text = async (path: string) => String(await (await pages.body(path)).plain());
  return { pages, started, text };
}

test("the page that is asked for is made first, then the rest, by one thread", async () => {
  const { started, text } = pagesOf(["/a", "/b", "/c"]);
  expect(await text("/c")).toBe("/c /c");
  expect(await text("/a")).toBe("/a /c,/a");
  const made = await text("/b");
  expect(made).toMatch(/^\/b \/c,\/a,/);
  expect(await text("/b")).toBe(made);
  expect(started).toHaveLength(1);
});

test("what failed is made anew when it is asked for again", async () => {
  const { started, text } = pagesOf(["/broken", "/a"]);
  await expect(text("/broken")).rejects.toThrow("a defect");
  expect(await text("/a")).toContain("/a");
  await until(async () => (await text("/broken").catch(() => "")).startsWith("/broken"));
  expect(started.at(-1)).toEqual(["/broken"]);
});

test("a thread that cannot start fails those who ask, and is started again for the next", async () => {
  const { started, text } = pagesOf(["/a"], { fails: 1 });
  await expect(text("/a")).rejects.toThrow("the thread cannot start");
  await until(async () => (await text("/a").catch(() => "")) === "/a /a");
  expect(started.length).toBeGreaterThan(1);
});

test("a stop ends the thread", async () => {
  const { pages, started } = pagesOf(["/a"]);
  pages.start();
  await pages.stop();
  pages.start();
  expect(started).toHaveLength(1);
});

test("a page that is wanted as the thread is stopped is still made", async () => {
  const { pages, started, text } = pagesOf(["/a", "/b"]);
  const wanted = text("/b");
  await pages.stop();
  expect(await wanted).toBe("/b /b");
  expect(started.at(-1)).toEqual(["/b"]);
});
