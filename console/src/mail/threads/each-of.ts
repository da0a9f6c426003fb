const atOnce = 4;

/** Runs something for each item, a few at a time. Rejects with the first failure once all have ended. */
export async function eachOf<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<unknown>,
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
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work));
  if (failures.length > 0) throw failures[0];
}
