const atOnce = 4;

/**
 * Runs something for each item, a few at a time, or all that are left at once when `hurry` is aborted. Rejects with the first failure
 * once all have ended.
 */
export async function runEach<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<unknown>,
  hurry?: AbortSignal,
): Promise<void> {
  const waiting = [...items];
  const failures: unknown[] = [];
  async function work(): Promise<void> {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      try {
        await run(item);
      } catch (error) {
        failures.push(error);
      }
    }
  }
  const workers: Promise<void>[] = [];
  const start = (count: number) => {
    for (let index = 0; index < count; index += 1) workers.push(work());
  };
  hurry?.addEventListener('abort', () => start(waiting.length), { once: true });
  start(hurry?.aborted ? items.length : Math.min(atOnce, items.length));
  // The array may grow while it is walked through.
  for (const worker of workers) await worker;
  if (failures.length > 0) throw failures[0];
}
