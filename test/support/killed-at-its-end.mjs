/** Loaded before a server's processes: the one of the name in `KILLED` is killed when it is told to end. */
if (process.argv.at(-1) === process.env.KILLED) {
  process.on("SIGTERM", () => process.kill(process.pid, "SIGKILL"));
}
