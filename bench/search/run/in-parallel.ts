/** Does work for each item, for at most `width` items at once, beginning with the first. */
export async function inParallel<Item>(
  width: number,
  items: Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
