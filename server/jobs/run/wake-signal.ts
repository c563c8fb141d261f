/** A message to another process costs some 20 us; accepting a job takes half a millisecond. */
const PAUSE_MS = 5;

/** Sends at once. Calls that follow soon after are combined into one more message when the pause is over. */
export function wakeSignal(send: () => void): () => void {
  let pausing = false;
  let again = false;
  function fire(): void {
    send();
    pausing = true;
    setTimeout(() => {
      pausing = false;
      if (!again) return;
      again = false;
      fire();
    }, PAUSE_MS).unref();
  }
  return () => {
    if (pausing) again = true;
    else fire();
  };
}
