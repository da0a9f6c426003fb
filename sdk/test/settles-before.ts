/**
 * Returns whether a promise settles before a timer of this many milliseconds that begins with the call. A busy machine delays both, so that
 * it does not decide the result.
 */
export async function settlesBefore(ms: number, work: PromiseLike<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const settled = Promise.resolve(work).then(
    () => true,
    () => true,
  );
  return Promise.race([settled, late]).finally(() => clearTimeout(timer));
}
