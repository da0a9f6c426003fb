/** Keeps a service that fails from being asked over and over. */
export interface Breaker {
  /**
   * Returns whether a try may be made now. Each try that may be made must end with one of the other calls. While the service rests, none
   * may; afterwards one try at a time may, until one succeeds.
   */
  mayTry(): boolean;
  succeeded(): void;
  failed(): void;
  /** The try was given up, and says nothing about the service. */
  gaveUp(): void;
}

/** Creates a breaker that lets a service rest for `restMs` after `failuresMax` failures in a row. */
export function createBreaker({
  failuresMax,
  restMs,
  now = () => performance.now(),
}: {
  failuresMax: number;
  restMs: number;
  now?: () => number;
}): Breaker {
  let failures = 0;
  let restsUntil = 0;
  let isProbing = false;
  return {
    mayTry: () => {
      if (failures < failuresMax) return true;
      if (isProbing || now() < restsUntil) return false;
      isProbing = true;
      return true;
    },
    succeeded: () => {
      failures = 0;
      isProbing = false;
    },
    failed: () => {
      failures += 1;
      isProbing = false;
      if (failures >= failuresMax) restsUntil = now() + restMs;
    },
    gaveUp: () => {
      isProbing = false;
    },
  };
}
