/** Work that stops at each call of `untilTurn` until it is its turn again. */
export type WorkInTurns<Result> = (untilTurn: () => Promise<void>) => Promise<Result>;

/**
 * Runs several works, of which only one runs at any moment: each runs to its first stop, then each to its second, and so on until all have
 * ended. Waits for `settle` after each turn. Rejects as soon as one of them fails, and does not continue the others.
 */
export async function runInTurns<Result>(
  works: WorkInTurns<Result>[],
  settle: () => Promise<void>,
): Promise<Result[]> {
  const runs = works.map((work) => new Run(work));
  for (let turn = 0; runs.some(({ isOver }) => !isOver); turn++) {
    // The machine may be faster for the one that comes first, so that is another one each time.
    for (const run of turn % 2 === 0 ? runs : runs.toReversed()) {
      await run.goOn();
      await settle();
    }
  }
  return Promise.all(runs.map(({ result }) => result));
}

class Run<Result> {
  readonly result: Promise<Result>;
  isOver = false;
  #turn = Promise.withResolvers<void>();
  #stop = Promise.withResolvers<void>();

  constructor(work: WorkInTurns<Result>) {
    this.result = this.#turn.promise.then(() => work(() => this.#untilTurn()));
    const end = () => {
      this.isOver = true;
    };
    this.result.then(end, end);
  }

  /** Lets it go on to its next stop or its end. */
  async goOn(): Promise<void> {
    if (this.isOver) return;
    this.#stop = Promise.withResolvers();
    this.#turn.resolve();
    await Promise.race([this.#stop.promise, this.result]);
  }

  #untilTurn(): Promise<void> {
    this.#turn = Promise.withResolvers();
    this.#stop.resolve();
    return this.#turn.promise;
  }
}
