/** The reason why work was stopped: it used up its own processor time, or nothing came of it for minutes, whatever the cause. */
export type Overdue = 'processor_time' | 'hung';

/** The processor time that a thread or a process has used so far, in ms; null where it is not known. */
export type ReadProcessorMs = () => Promise<number | null>;

const lookEveryMs = 250;
/** Work hangs that uses less than `progressMs` of processor time for this long. A busy machine gives it more. */
const hungMs = 120_000;
const progressMs = 20;

/**
 * Calls `stop` once the work has used more than `limitMs` of processor time since `fromMs`, or hangs. Returns a function that ends the
 * watch.
 *
 * The clock decides nothing, because a busy machine makes any work take long: hanging is counted in looks, so that a process that was
 * stopped meanwhile has missed one look, however long it was. A look that is not answered is one without progress.
 */
export function watchProcessor(
  read: ReadProcessorMs,
  { fromMs, limitMs }: { fromMs: number; limitMs: number },
  stop: (reason: Overdue) => void,
): () => void {
  const everyMs = Math.min(lookEveryMs, limitMs);
  let isAsking = false;
  let isEnded = false;
  let lastMs = fromMs;
  let stillMs = 0;
  const end = () => {
    isEnded = true;
    clearInterval(timer);
  };
  const overdue = (reason: Overdue) => {
    if (isEnded) return;
    end();
    stop(reason);
  };
  const take = (usedMs: number | null) => {
    isAsking = false;
    if (usedMs === null) return;
    if (usedMs - fromMs > limitMs) return overdue('processor_time');
    if (usedMs - lastMs < progressMs) return;
    lastMs = usedMs;
    stillMs = 0;
  };
  const look = () => {
    stillMs += everyMs;
    if (stillMs > hungMs) return overdue('hung');
    if (isAsking) return;
    isAsking = true;
    read().then(take, () => take(null));
  };
  const timer = setInterval(look, everyMs);
  return end;
}
