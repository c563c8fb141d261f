/** A process as a server starts one for its backtests. The argument is what it does. */
const [, , behaviour] = process.argv;
if (behaviour === "fails") process.exit(3);
process.on("message", ({ kind, id, result }) => {
  if (behaviour === "silent") return;
  if (kind === "alive") process.send({ kind });
  if (kind === "work") process.send({ kind: "call", id: 1, name: "claim", args: [5, ["s1"]] });
  if (kind === "reply")
    process.send({ kind: "call", id: 2, name: "release", args: [result, "left"] });
  if (kind !== "metrics") return;
  const values = [{ name: "n", help: "h", type: "gauge", values: [{ labels: {}, value: 1 }] }];
  process.send({ kind: "metrics", id, values });
});
process.on("SIGTERM", () => {
  if (behaviour !== "hangs") process.exit(behaviour === "stumbles" ? 4 : 0);
});
process.send({ kind: "alive" }, () => {
  if (behaviour === "loops") for (;;);
});
