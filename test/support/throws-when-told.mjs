/** Imported before a server: what SIGUSR2 starts throws where nobody catches it, as a timer might. */
process.on("SIGUSR2", () => {
  throw new Error("nobody caught this");
});
