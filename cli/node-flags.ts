/**
 * Node's flags for a process that answers requests.
 *
 * V8 collects garbage on four helper threads. When a snapshot is switched all of them have work, and on two cores a
 * request then waits for up to four slices of 4 ms each. With one helper thread it waits for one.
 *
 * The flag can only be set when a process starts, so it is set where a server is started, and where one line starts
 * every command (`#!` of `hindsight.ts`, a container's entry point). The pipeline and the other commands do not need
 * it, and are as fast with it.
 */
export const SERVER_NODE_FLAGS: readonly string[] = ["--v8-pool-size=1"];
