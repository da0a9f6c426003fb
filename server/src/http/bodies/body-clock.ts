/** How long a body may take to come. */
export const bodyClockLimits = {
  /** A small body has to be there whole by then; of a large one, which takes a place from others, so many bytes have to come. */
  silenceMs: 30_000,
  largeBytes: 262_144,
  lookEveryMs: 2_000,
};

/** A body that is being read. */
export interface ReadingBody {
  received: number;
  isLarge: boolean;
  giveUp(): void;
}

const since = new Map<ReadingBody, { received: number; ms: number }>();
let timer: NodeJS.Timeout | null = null;

/** Has a body given up once it takes too long. One timer looks after all of them, and rests while there are none. */
export const watchBody = (body: ReadingBody): void => {
  since.set(body, { received: body.received, ms: performance.now() });
  timer ??= setInterval(look, bodyClockLimits.lookEveryMs).unref();
};

/** Watches it no longer. */
export const leaveBody = (body: ReadingBody): void => {
  since.delete(body);
};

const look = (): void => {
  const now = performance.now();
  for (const [body, seen] of since) {
    if (body.isLarge && body.received - seen.received >= bodyClockLimits.largeBytes)
      Object.assign(seen, { received: body.received, ms: now });
    else if (now - seen.ms >= bodyClockLimits.silenceMs) body.giveUp();
  }
  if (since.size > 0 || timer === null) return;
  clearInterval(timer);
  timer = null;
};
