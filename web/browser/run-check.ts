import type { CheckNews, CheckOrder } from "./check-messages.ts";

/** Runs a check in a thread of its own. Returns what ends it early. */
export function runCheck(
  worker: string,
  order: CheckOrder,
  onNews: (news: CheckNews) => void | Promise<void>,
): () => void {
  const thread = new Worker(worker, { type: "module" });
  thread.addEventListener("message", ({ data }: MessageEvent<CheckNews>) => {
    if (data.kind !== "progress") thread.terminate();
    void onNews(data);
  });
  thread.addEventListener("error", ({ message }) => {
    thread.terminate();
    void onNews({ kind: "broken", message: message || "the thread did not start" });
  });
  thread.postMessage(order, order.live === undefined ? [order.bytes] : [order.bytes, order.live]);
  return () => thread.terminate();
}
