/** Same as `Promise.allSettled` of the work on each item, in the order of the items, but with at most `atOnceMax` under way. */
export async function settleLimited<T, R>(
  items: T[],
  atOnceMax: number,
  work: (item: T) => Promise<R>,
): Promise<PromiseSettledResult<R>[]> {
  const results: PromiseSettledResult<R>[] = [];
  const left = items.entries();
  const workOff = async () => {
    for (const [index, item] of left) [results[index]] = await Promise.allSettled([work(item)]);
  };
  await Promise.all(Array.from({ length: atOnceMax }, workOff));
  return results;
}
