// Loaded before the program that the bootstrap runs. One key press or one kill can reach the program several times: from the
// terminal, from npm and from the bootstrap. Here the bootstrap's copy is dropped when the program has seen a signal itself, so
// that a second one means that somebody really asked twice. A lost bootstrap counts as a request to stop.
import { performance } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';

/** @type {NodeJS.Signals[]} */
const signals = ['SIGINT', 'SIGTERM'];
const sameRequestMs = 1000;

if (isMainThread && process.channel) {
  let askedAt = Number.NEGATIVE_INFINITY;
  const askedJustNow = () => performance.now() - askedAt < sameRequestMs;
  for (const signal of signals) {
    const note = () => {
      askedAt = performance.now();
      if (process.listenerCount(signal) > 1) return;
      // Our listener alone must not keep a program alive that has not said what to do on this signal.
      process.off(signal, note);
      process.kill(process.pid, signal);
    };
    process.on(signal, note);
  }
  const pass = (/** @type {NodeJS.Signals} */ signal) => {
    if (askedJustNow()) return;
    askedAt = performance.now();
    process.kill(process.pid, signal);
  };
  process.on('message', (/** @type {{ signal?: NodeJS.Signals }} */ message) => {
    if (message?.signal) pass(message.signal);
  });
  process.on('disconnect', () => pass('SIGTERM'));
  process.channel.unref();
}
