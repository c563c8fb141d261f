/**
 * Node's flags for a process that answers requests.
 *
 * Node's engine collects memory on four threads of its own, beside the one that runs JavaScript. When a
 * snapshot is switched they all have work, and on two cores a request then waits for up to four of them, a
 * slice of 4 ms each. With one such thread it waits for one.
 *
 * Only the start of a process can set this flag, not the program. So it is set where a server is started, and
 * where one line starts every command (`#!` of `hindsight.ts`, a container's entry point). The pipeline and
 * the other commands do not need it, and use as much of the processors with it.
 */
export const SERVER_NODE_FLAGS: readonly string[] = ["--v8-pool-size=1"];
