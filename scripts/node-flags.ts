/**
 * What Node is started with for a process that answers requests. Node's engine collects memory on four threads of its own beside
 * the one that runs JavaScript. Where a snapshot is switched they all have work, and on two cores a request then
 * waits for up to four of them, a slice of 4 ms each; with one thread it waits for one. A start of the process can set it, the
 * program cannot.
 */
export const SERVER_NODE_FLAGS: readonly string[] = ["--v8-pool-size=1"];
