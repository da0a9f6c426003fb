import { testing } from '../generated/brand.ts';
import { sampleEvents } from '../generated/sample-events.ts';
import type { AppliedLabel, Event, Message, MessagePage, UpdateMessage } from '../generated/types.ts';
import { matchesQuery } from './matches-query.ts';
import { sampleEvent } from './sample-event.ts';

const digits = '0123456789abcdefghjkmnpqrstvwxyz';
let count = 0;

/**
 * Returns a new id in the form and order of those that the server creates: a TypeID that begins with the
 * time.
 */
export function newId(prefix: string, ms = Date.now()): string {
  count += 1;
  const digit = (value: number, place: number) => digits.charAt(Math.floor(value / 32 ** place) % 32);
  const time = Array.from({ length: 10 }, (_, index) => digit(ms, 9 - index)).join('');
  return `${prefix}_${time}${Array.from({ length: 16 }, (_, index) => digit(count, 15 - index)).join('')}`;
}

/**
 * As on the real server, an event enters the log a moment after its message can be read. By then, a wait that
 * a test began just before has found its place.
 */
const orderedAfterMs = 25;

/** The messages and the event log of a fake server. */
export class FakeMailbox {
  readonly messages: Message[] = [];
  readonly #log: Event[] = [];
  readonly #labels: AppliedLabel[] = [];
  #wakers: (() => void)[] = [];

  /** Stores a message that arrives now, and its event. */
  receive(fields: Partial<Message>): Message {
    const message = this.store({ direction: 'inbound', delivery_status: 'received', ...fields });
    setTimeout(() => this.#order(message), orderedAfterMs);
    return message;
  }

  /**
   * Stores a message that is sent now, and the events of its recipients. As in the sandbox of a server, it goes
   * nowhere.
   */
  send(fields: Partial<Message>, to: string[]): Message {
    const recipients = to.map((address) => ({
      address,
      status: 'sent' as const,
      detail: 'sandbox: not sent',
      sandboxed: true,
      updated_at: new Date().toISOString(),
    }));
    const message = this.store({ direction: 'outbound', delivery_status: 'sent', recipients, ...fields });
    setTimeout(() => {
      for (const recipient of to) this.#order(message, recipient);
    }, orderedAfterMs);
    return message;
  }

  #order(message: Message, recipient?: string): void {
    const event =
      recipient === undefined ? sampleEvent('message.received') : sampleEvent('message.sent', { recipient });
    const { id: message_ref, inbox_id, thread_id, created_at } = message;
    this.#log.push({ ...event, id: newId('evt'), created_at, inbox_id, thread_id, message_ref, message });
    this.#wake();
  }

  #wake(): void {
    const wakers = this.#wakers;
    this.#wakers = [];
    for (const wake of wakers) wake();
  }

  /** Stores a message without an event. Fields that are left out come from the sample. */
  store(fields: Partial<Message>): Message {
    const id = fields.id ?? newId('msg');
    const body_text = fields.body_text ?? sampleEvents['message.received'].message?.body_text ?? null;
    const { message } = sampleEvent('message.received', {
      message: {
        thread_id: newId('thr'),
        message_id: `<${id}@${testing.mailDomain}>`,
        in_reply_to: null,
        references: [],
        attachments: [],
        extracted_text: body_text,
        created_at: new Date().toISOString(),
        ...fields,
        id,
      },
    });
    if (message === null) throw new Error('The sample has a message.');
    this.messages.push(message);
    this.#wake();
    return message;
  }

  /** Returns a page of the log as `GET /events` does, and waits for an event if `wait_seconds` is set. */
  async readLog(
    query: URLSearchParams,
    signal: AbortSignal | null,
  ): Promise<{ events: Event[]; next_cursor: string | null }> {
    const after = query.get('after');
    const from = after === 'latest' ? this.#log.length : this.#log.findIndex(({ id }) => id === after) + 1;
    const kinds = query.get('events')?.split(',');
    const inbox = query.get('inbox_id');
    const find = () =>
      this.#log
        .slice(from)
        .filter(
          ({ event, inbox_id }) => (kinds?.includes(event) ?? true) && (inbox ?? inbox_id) === inbox_id,
        );
    const endMs = performance.now() + Number(query.get('wait_seconds') ?? 0) * 1_000;
    while (find().length === 0 && performance.now() < endMs)
      await this.#change(endMs - performance.now(), signal);
    const events = find().slice(0, Number(query.get('limit') ?? 25));
    const last = events.length > 0 ? events.at(-1) : this.#log.at(-1);
    return { events: structuredClone(events), next_cursor: last?.id ?? null };
  }

  /**
   * Returns the messages that pass the filters, newest first, as `GET /messages` does, and waits for one if
   * `wait_seconds` is set. A `query` is compared by its words, and the newest hit comes first.
   */
  async list(query: URLSearchParams, signal: AbortSignal | null): Promise<MessagePage> {
    const endMs = performance.now() + Number(query.get('wait_seconds') ?? 0) * 1_000;
    let found = this.#find(query);
    while (found.length === 0 && performance.now() < endMs) {
      await this.#change(endMs - performance.now(), signal);
      found = this.#find(query);
    }
    const start = Number(query.get('cursor') ?? 0);
    const end = start + Number(query.get('limit') ?? 25);
    const next_cursor = found.length > end ? String(end) : null;
    const messages = structuredClone(found.slice(start, end));
    return query.has('query')
      ? { messages: messages.map((one) => ({ ...one, score: 1 })), next_cursor, mode_used: 'keyword' }
      : { messages, next_cursor, mode_used: 'recent' };
  }

  #find(query: URLSearchParams): Message[] {
    const [after, before] = [Date.parse(query.get('after') ?? ''), Date.parse(query.get('before') ?? '')];
    const is = (name: string, value: string) => (query.get(name) ?? value) === value;
    const words = query.get('subject')?.toLowerCase().split(/\s+/) ?? [];
    return this.messages
      .filter(({ inbox_id, thread_id }) => is('inbox_id', inbox_id) && is('thread_id', thread_id))
      .filter(({ direction, read }) => is('direction', direction) && is('read', String(read)))
      .filter(({ attachments }) => is('has_attachment', String(attachments.length > 0)))
      .filter(({ labels }) => !query.has('label_id') || labels.some(({ id }) => is('label_id', id)))
      .filter(({ from_addr }) => hasAddress([from_addr], query.get('from')))
      .filter(({ to_addrs }) => hasAddress(to_addrs, query.get('to')))
      .filter(({ subject }) => words.every((word) => subject.toLowerCase().includes(word)))
      .filter((message) => matchesQuery(message, query.get('query') ?? ''))
      .filter(({ created_at }) => !(Date.parse(created_at) < after || Date.parse(created_at) >= before))
      .sort((one, other) => (one.id < other.id ? 1 : -1));
  }

  /** Changes a message as `PATCH /messages/{id}` does, and returns it; undefined if it is unknown. */
  update(
    id: string,
    { add_labels = [], remove_labels = [], ...changes }: UpdateMessage,
  ): Message | undefined {
    const message = this.messages.find((one) => one.id === id);
    if (message === undefined) return undefined;
    const kept = message.labels.filter((label) => !remove_labels.some((text) => isNamed(label, text)));
    const added = add_labels.filter((text) => !kept.some((label) => isNamed(label, text)));
    const labels = [...kept, ...added.map((text) => this.#label(text))];
    return structuredClone(Object.assign(message, changes, { labels }));
  }

  /** Returns the label with this id or name. Creates it if there is none. */
  #label(text: string): AppliedLabel {
    const known = this.#labels.find((label) => isNamed(label, text));
    if (known !== undefined) return known;
    const made = { id: newId('lbl'), name: text, color: null };
    this.#labels.push(made);
    return made;
  }

  #change(ms: number, signal: AbortSignal | null): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms);
      this.#wakers.push(() => {
        clearTimeout(timer);
        resolve();
      });
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        reject(signal.reason);
      });
    });
  }
}

/** Returns whether a text is the id of a label, or its name, ignoring case. */
function isNamed({ id, name }: AppliedLabel, text: string): boolean {
  return id === text || name.toLowerCase() === text.toLowerCase();
}

/** Returns whether one of the addresses is the wanted one or belongs to the wanted domain. */
function hasAddress(addresses: string[], wanted: string | null): boolean {
  if (wanted === null) return true;
  return addresses.some((address) => {
    const plain = address.replace(/^.*<(.*)>$/, '$1').toLowerCase();
    return plain === wanted.toLowerCase() || plain.endsWith(`@${wanted.toLowerCase()}`);
  });
}
