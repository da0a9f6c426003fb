/** The bytes of a body that arrives in parts. */
export interface KeptBytes {
  add(part: Buffer): void;
  /** Returns all bytes; null if there were more than are kept. */
  whole(): Buffer | null;
}

const firstBytes = 65_536;

/**
 * Keeps the parts of a body in one piece of memory of its own, as large as declared or growing as parts arrive: a list of parts of one byte
 * each would take a hundred times their bytes. A body that arrives at once is kept as it is.
 */
export function keepBytes(declared: number | null, keptMax: number): KeptBytes {
  if (declared !== null && declared > keptMax) return { add: () => {}, whole: () => null };
  let length = 0;
  let only: Buffer | null = null;
  let memory: Buffer | null = null;
  const room = (needed: number): Buffer => {
    if (memory && memory.length >= needed) return memory;
    const grown = Buffer.allocUnsafeSlow(declared ?? Math.min(keptMax, Math.max(firstBytes, 2 * needed)));
    (memory ?? only)?.copy(grown, 0, 0, length);
    only = null;
    memory = grown;
    return grown;
  };
  return {
    add: (part) => {
      const end = length + part.length;
      if (end > keptMax) {
        only = null;
        memory = null;
      } else if (length === 0) only = part;
      else part.copy(room(end), length);
      length = end;
    },
    whole: () => {
      if (length > keptMax) return null;
      return memory?.subarray(0, length) ?? only ?? Buffer.alloc(0);
    },
  };
}
