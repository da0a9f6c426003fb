/** So many of the messages that were read last are remembered: those whose events may not be in the log yet. */
const rememberedMax = 1_000;

/**
 * The messages that a client has read, by when it did. An event is in the log a moment after its message can be read, so whoever
 * waits for a new message has to know which ones are not new.
 */
export class ReadMessages {
  readonly #reads = new Map<string, number>();
  #count = 0;

  /** Takes note of the messages of an answer. */
  note(data: unknown): void {
    for (const id of idsOf(data)) {
      this.#count += 1;
      if (!this.#reads.has(id)) this.#reads.set(id, this.#count);
      const [oldest] = this.#reads.keys();
      if (this.#reads.size > rememberedMax && oldest !== undefined) this.#reads.delete(oldest);
    }
  }

  /** Gives a function that tells whether a message was read before now. */
  upToNow(): (id: string) => boolean {
    const now = this.#count;
    return (id) => (this.#reads.get(id) ?? Number.POSITIVE_INFINITY) <= now;
  }
}

function idsOf(data: unknown): string[] {
  if (typeof data !== 'object' || data === null) return [];
  const items = 'messages' in data && Array.isArray(data.messages) ? data.messages : [];
  return [data, ...items]
    .map((item: { id?: unknown }) => item?.id)
    .filter((id): id is string => typeof id === 'string' && id.startsWith('msg_'));
}
