/**
 * What `wrk` runs: the requests of a file one after the other, in the file's order, again and again. They are read and
 * cut before the clock starts, so that a request costs the generator one table look-up. The last line it prints is
 * JSON with the counts that its own report rounds.
 */
export function wrkScript(requestsFile: string): string {
  return `
local requests, next = {}, 0
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
    '\\n{"requests":%d,"micros":%d,"bytes":%d,"broken":%d,"status400":%d}\\n',
    summary.requests, summary.duration, summary.bytes,
    errors.connect + errors.read + errors.write + errors.timeout, errors.status))
end
`;
}
