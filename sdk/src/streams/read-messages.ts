import { type After, fromCursor, type MailPlace } from './mail-place.ts';

/**
 * The number of recently read messages that are remembered, because their events may not be in the log yet.
 */
const rememberedMax = 1_000;

/** The knowledge of a client about the messages that it received. */
export class ReadMessages {
  readonly #reads = new Map<string, number>();
  /**
   * The places after messages, as cursors. Each reader has its own places, one for each object that it
   * received.
   */
  readonly #placesOfObjects = new WeakMap<object, string>();
  readonly #placesOfIds = new Map<string, string>();
  #count = 0;

  /** Records the messages of a response. */
  note(data: unknown): void {
    for (const id of readIds(data)) {
      this.#count += 1;
      if (!this.#reads.has(id)) remember(this.#reads, id, this.#count);
    }
    for (const event of readItems(data, 'events')) this.noteEvent(event);
  }

  /** Records the place in the log of the message of an event. */
  noteEvent(event: unknown): void {
    const { id, event: kind, message } = Object(event);
    if (kind === 'message.received' && message) this.notePlace(message, id);
  }

  /** Records the place after a message that was returned to a consumer. */
  notePlace(message: { id: string }, cursor: string): void {
    this.#placesOfObjects.set(message, cursor);
    this.#placesOfIds.delete(message.id);
    remember(this.#placesOfIds, message.id, cursor);
  }

  /** Returns the place after a message, or null if the message was never returned, or too long ago. */
  placeBehind(after: After): MailPlace | null {
    const isMessage = typeof after === 'object' && 'id' in after;
    const ofObject = isMessage ? this.#placesOfObjects.get(after) : undefined;
    const place = ofObject ?? this.#placesOfIds.get(isMessage ? after.id : String(after));
    return place === undefined ? null : fromCursor(place);
  }

  /**
   * Returns a function that returns whether a message was read before this call. An event is in the log a
   * moment after its message can be read, so a wait for a new message has to know which messages are not new.
   */
  upToNow(): (id: string) => boolean {
    const now = this.#count;
    return (id) => (this.#reads.get(id) ?? Number.POSITIVE_INFINITY) <= now;
  }
}

function remember<Value>(values: Map<string, Value>, id: string, value: Value): void {
  values.set(id, value);
  const [oldest] = values.keys();
  if (values.size > rememberedMax && oldest !== undefined) values.delete(oldest);
}

function readItems(data: unknown, key: string): unknown[] {
  const items = Object(data)[key];
  return Array.isArray(items) ? items : [];
}

function readIds(data: unknown): string[] {
  return [data, ...readItems(data, 'messages')]
    .map((item) => Object(item).id)
    .filter((id): id is string => typeof id === 'string' && id.startsWith('msg_'));
}
