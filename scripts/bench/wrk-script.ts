/**
 * The script that `wrk` runs: it sends the requests of a file in order, again and again. They are read and
 * split before the clock starts, so that a request costs the generator one table look-up. Its last line of
 * output is JSON with the counts that wrk's own report rounds.
 */
export function wrkScript(requestsFile: string): string {
  return `local requests, next = {}, 0
function init()
  local file = assert(io.open(${JSON.stringify(requestsFile)}, "rb"))
  for line in file:lines() do
    requests[#requests + 1] = file:read(tonumber(line))
  end
  file:close()
end
function request()
  next = next % #requests + 1
  return requests[next]
end
function done(summary)
  local errors = summary.errors
  io.write(string.format(
    '\\n{"requests":%d,"micros":%d,"broken":%d,"status400":%d}\\n',
    summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.timeout, errors.status))
end
`;
}
