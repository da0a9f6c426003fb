/** What a server keeps in memory between calls, each part by its declaration. Two servers in one process share none of it. */
export type Memory = Map<unknown, unknown>;

/** Declares something of which every server keeps one, such as a cache. Returns the function that finds it, or creates it at first use. */
export function perServer<T>(create: () => T): (deps: { memory: Memory }) => T {
  const find = ({ memory }: { memory: Memory }): T => {
    if (!memory.has(find)) memory.set(find, create());
    return memory.get(find) as T;
  };
  return find;
}
