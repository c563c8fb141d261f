/** A process as a server starts one for its backtests. The argument is what it does. */
const [, , behaviour] = process.argv;
if (behaviour === "fails") process.exit(3);
const values = [{ name: "n", help: "h", type: "gauge", values: [{ labels: {}, value: 1 }] }];
const call = (id, name, args) => process.send({ kind: "call", id, name, args });
process.on("message", ({ kind, id, name, result }) => {
  if (behaviour === "silent") return;
  if (kind === "reply" && id === 1) call(2, "release", [result, "left"]);
  if (kind === "reply") return;
  process.send({ kind: "reply", id, result: name === "metrics" ? values : true });
  if (name === "wake") call(1, "claim", [5, ["s1"]]);
});
process.on("SIGTERM", () => {
  if (behaviour !== "hangs") process.exit(behaviour === "stumbles" ? 4 : 0);
});
process.send({ kind: "reply", id: 0 }, () => {
  if (behaviour === "loops") for (;;);
});
