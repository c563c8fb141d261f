/**
 * Hands an order to a thread of its own, which ends with its first news that is not of progress. Returns what ends it
 * early. Where the thread breaks, `onNews` gets what `brokenBy` makes of the message.
 */
export function runThread<News extends { readonly kind: string }>(
  script: string,
  { order, transfer = [] }: { readonly order: object; readonly transfer?: Transferable[] },
  onNews: (news: News) => void | Promise<void>,
  brokenBy: (message: string) => News,
): () => void {
  const thread = new Worker(script, { type: "module" });
  thread.addEventListener("message", ({ data }: MessageEvent<News>) => {
    if (data.kind !== "progress") thread.terminate();
    void onNews(data);
  });
  thread.addEventListener("error", ({ message }) => {
    thread.terminate();
    void onNews(brokenBy(message || "the thread did not start"));
  });
  thread.postMessage(order, transfer);
  return () => thread.terminate();
}
