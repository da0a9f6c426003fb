import type { EventChannel } from './event-channel.ts';

/** Sends signs of life over channels, with one timer for all. */
export interface KeepAlive {
  /** Calls `beat` now and then until the channel is closed. */
  add(channel: Pick<EventChannel, 'onceClosed'>, beat: () => void): void;
  stop(): void;
}

/** A share of the channels has its turn at a time, so that thousands of signs are not sent at once. */
const shares = 25;

/** Calls the `beat` of each channel every `everyMs`. */
export function createKeepAlive(everyMs: number): KeepAlive {
  const beats = Array.from({ length: shares }, () => new Set<() => void>());
  let added = 0;
  let turn = 0;
  const timer = setInterval(() => {
    turn = (turn + 1) % shares;
    for (const beat of beats[turn] ?? []) beat();
  }, everyMs / shares);
  return {
    add: (channel, beat) => {
      added += 1;
      const share = beats[added % shares];
      share?.add(beat);
      channel.onceClosed(() => share?.delete(beat));
    },
    stop: () => clearInterval(timer),
  };
}
