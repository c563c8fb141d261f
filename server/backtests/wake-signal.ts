/** A message to another process costs some 20 us, an accepted job half a millisecond. */
const PAUSE_MS = 5;

/** Sends at once, and for what follows soon after once more when a moment is over. */
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
