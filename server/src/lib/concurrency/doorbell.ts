/** Wakes one waiter, who may be busy when it rings. */
export interface Doorbell {
  ring(): void;
  /** Resolves after `ms`, or at once when it rang since the last wait ended. */
  wait(ms: number): Promise<void>;
}

/** Makes a doorbell for a loop that looks again when it is told to. */
export const createDoorbell = (): Doorbell => {
  let rang = false;
  let open: (() => void) | null = null;
  return {
    ring: () => {
      rang = true;
      open?.();
    },
    wait: async (ms) => {
      if (!rang) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms);
          open = () => {
            clearTimeout(timer);
            resolve();
          };
        });
        open = null;
      }
      rang = false;
    },
  };
};
