import { performance } from 'node:perf_hooks';

// Everything goes to stderr: the output of `npm run -s postrider -- keys list` belongs to the program alone.
const out = process.stderr;

/**
 * Shows one line that says what is going on and, at the end, how long it took. Without a terminal it prints a line at the
 * start, one every ten seconds, and one at the end.
 * @template T
 * @param {string} label
 * @param {(report: (detail: string) => void) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function showProgress(label, work) {
  const startedAt = performance.now();
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`;
  const live = out.isTTY === true;
  let detail = '';
  const text = () => `${label}${detail && ` (${detail})`}`;
  if (!live) out.write(`${label} …\n`);
  const timer = setInterval(
    () => out.write(live ? `\r\x1b[2K${text()} … ${seconds()}` : `  … ${text()}, ${seconds()}\n`),
    live ? 100 : 10_000,
  );
  const finish = (/** @type {string} */ line) => {
    clearInterval(timer);
    out.write(`${live ? '\r\x1b[2K' : ''}${line}\n`);
  };
  try {
    const result = await work((next) => {
      detail = next;
    });
    finish(`${label}: done in ${seconds()}`);
    return result;
  } catch (error) {
    finish(`${label}: failed after ${seconds()}`);
    throw error;
  }
}
