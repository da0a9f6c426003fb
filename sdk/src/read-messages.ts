import { type After, fromCursor, type MailPlace } from './mail-place.ts';

/** So many of the messages that were read last are remembered: those whose events may not be in the log yet. */
const rememberedMax = 1_000;

/** What a client knows of the messages that it was given. */
export class ReadMessages {
  readonly #reads = new Map<string, number>();
  /** The places behind messages, as cursors. Readers have places of their own, each behind the object that it was given. */
  readonly #placesOfObjects = new WeakMap<object, string>();
  readonly #placesOfIds = new Map<string, string>();
  #count = 0;

  /** Takes note of the messages of an answer. */
  note(data: unknown): void {
    for (const id of idsOf(data)) {
      this.#count += 1;
      if (!this.#reads.has(id)) remember(this.#reads, id, this.#count);
    }
    for (const event of itemsOf(data, 'events')) this.noteEvent(event);
  }

  /** Takes note of where in the log a message is that an event brought. */
  noteEvent(event: unknown): void {
    const { id, event: kind, message } = Object(event);
    if (kind === 'message.received' && message) this.notePlace(message, id);
  }

  /** Takes note of the place behind a message that somebody was given. */
  notePlace(message: { id: string }, cursor: string): void {
    this.#placesOfObjects.set(message, cursor);
    this.#placesOfIds.delete(message.id);
    remember(this.#placesOfIds, message.id, cursor);
  }

  /** The place behind a message that was given; null when it was not, or long ago. */
  placeBehind(after: After): MailPlace | null {
    const isMessage = typeof after === 'object' && 'id' in after;
    const ofObject = isMessage ? this.#placesOfObjects.get(after) : undefined;
    const place = ofObject ?? this.#placesOfIds.get(isMessage ? after.id : String(after));
    return place === undefined ? null : fromCursor(place);
  }

  /**
   * Gives a function that tells whether a message was read before now. An event is in the log a moment after its message can be
   * read, so whoever waits for a new message has to know which ones are not new.
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

function itemsOf(data: unknown, key: string): unknown[] {
  const items = Object(data)[key];
  return Array.isArray(items) ? items : [];
}

function idsOf(data: unknown): string[] {
  return [data, ...itemsOf(data, 'messages')]
    .map((item) => Object(item).id)
    .filter((id): id is string => typeof id === 'string' && id.startsWith('msg_'));
}
