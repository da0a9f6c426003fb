const everyMs = 10_000;

/** The steps of a start, of which a person who waits hears. */
export interface Steps {
  begin(step: string): void;
  end(): void;
}

/** Says every ten seconds which step goes on, and since when the start does. A step that is quicker is not named. */
export function watchSteps(say: (line: string) => void): Steps {
  const startedAt = performance.now();
  let current = 'starting';
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    say(`still ${current}, after ${seconds} s`);
  }, everyMs);
  return {
    begin: (step) => {
      current = step;
    },
    end: () => clearInterval(timer),
  };
}
