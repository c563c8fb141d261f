/** A process as a supervisor starts them. Arguments: what it does, and its index. */
const [, , behaviour, index] = process.argv;
if (behaviour === "fails") process.exit(3);
if (behaviour === "is told to end") process.exit(0);
if (behaviour === "is killed") process.kill(process.pid, "SIGKILL");
process.on("message", ({ kind, id }) => {
  if (behaviour === "silent") return;
  if (kind === "alive") {
    process.send({ kind });
    return;
  }
  const values = [
    { name: "index", help: "h", type: "gauge", values: [{ labels: {}, value: Number(index) }] },
  ];
  process.send({ kind: "metrics", id, values });
});
if (behaviour !== "is loaded") {
  process.on("SIGTERM", () => {
    if (behaviour !== "hangs") process.exit(behaviour === "stumbles" ? 4 : 0);
  });
}
process.send({ kind: "listening", origin: "http://127.0.0.1:1" }, () => {
  if (behaviour === "loops") for (;;);
});
