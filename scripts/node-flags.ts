/**
 * What Node is started with for a process that answers requests. Node's engine collects memory on four threads of its own beside
 * the one that runs JavaScript. Where a snapshot is switched they all have work, and on two cores a request then
 * waits for up to four of them, a slice of 4 ms each; with one thread it waits for one. A start of the process can set it, the
 * program cannot. So it stands where a server is started, and where one line starts every command (`#!` of `hindsight.ts`, a container's
 * entry point): the pipeline and the others do not need it, and take as much of the processors with it.
 */
export const SERVER_NODE_FLAGS: readonly string[] = ["--v8-pool-size=1"];
