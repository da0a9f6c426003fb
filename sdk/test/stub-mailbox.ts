import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { DeliveryStatus, Event, EventKind, Message } from '../src/index.ts';
import { sampleEvent } from '../src/testing.ts';
import { answer, type SeenRequest } from './stub-api.ts';

const pageItems = 3;
const digits = '0123456789abcdefghjkmnpqrstvwxyz';

/** An id as the server makes it: its first 10 digits are the time. */
function messageId(ms: number, count: number): string {
  const time = Array.from({ length: 10 }, (_, index) => digits[Math.floor(ms / 32 ** (9 - index)) % 32]);
  return `msg_${time.join('')}${String(count).padStart(16, '0')}`;
}

function readTime(id: string): string {
  const ms = [...id.slice(4, 14)].reduce((sum, digit) => sum * 32 + digits.indexOf(digit), 0);
  return new Date(ms).toISOString();
}

/** The messages of a server and its event log, answered as `GET /messages`, `GET /messages/{id}` and `GET /events` answer them. */
export class StubMailbox {
  readonly #messages: Message[] = [];
  readonly #log: Event[] = [];
  /** How far each request has read that holds until something comes. */
  readonly #holding = new Set<{ from: number }>();
  #isOver = false;
  #count = 0;

  constructor() {
    onTestFinished(() => {
      this.#isOver = true;
    });
  }

  /** The time so long ago. */
  time(agoMs = 0): string {
    return new Date(Date.now() - agoMs).toISOString();
  }

  /** Stores a message that came in so long ago, and its event. */
  deliver(subject: string, agoMs = 0, fields: Partial<Message> = {}): Message {
    const message = this.store(subject, agoMs, fields);
    this.order(message);
    return message;
  }

  /** Stores a message whose event has no place in the log yet. */
  store(subject: string, agoMs = 0, fields: Partial<Message> = {}): Message {
    this.#count += 1;
    const id = messageId(Date.now() - agoMs, this.#count);
    const { message } = sampleEvent('message.received', {
      message: {
        id,
        subject,
        created_at: readTime(id),
        inbox_id: 'inb_1',
        body_text: subject,
        attachments: [],
        ...fields,
      },
    });
    if (message === null) throw new Error('The sample has a message.');
    this.#messages.push(message);
    return message;
  }

  /** Gives the event of a message its place in the log. */
  order(message: Message): void {
    const id = `evt_${String(this.#log.length + 1).padStart(4, '0')}`;
    this.#log.push(sampleEvent('message.received', { id, message }));
  }

  /** Changes a message, and stores the event that names what changed. */
  update(message: Message, fields: Partial<Message>, changed: string[]): void {
    Object.assign(message, fields);
    const id = `evt_${String(this.#log.length + 1).padStart(4, '0')}`;
    this.#log.push({ ...sampleEvent('message.updated'), id, message, changed });
  }

  /** Stores a message that was sent so long ago. */
  send(
    subject: string,
    agoMs = 0,
    to: string[] = ['ada@example.com'],
    fields: Partial<Message> = {},
  ): Message {
    const recipients = to.map((address) => ({
      address,
      status: 'sent' as const,
      detail: null,
      sandboxed: false,
      updated_at: this.time(agoMs),
    }));
    return this.store(subject, agoMs, {
      direction: 'outbound',
      delivery_status: 'sent',
      message_id: `<sent.${this.#count}@api.test>`,
      auto_submitted: false,
      hidden_text: false,
      to_addrs: to,
      recipients,
      ...fields,
    });
  }

  /** Changes the delivery to one recipient, and stores the event if there is one. */
  settle(
    message: Message,
    to: string,
    status: DeliveryStatus,
    detail: string | null,
    event?: EventKind,
  ): void {
    for (const recipient of message.recipients)
      if (recipient.address === to) Object.assign(recipient, { status, detail });
    if (event === undefined) return;
    const id = `evt_${String(this.#log.length + 1).padStart(4, '0')}`;
    const { thread_id, inbox_id } = message;
    this.#log.push({ ...sampleEvent(event), id, message, message_ref: message.id, thread_id, inbox_id });
  }

  /** Resolves once so many requests have read the whole log, and hold until more comes. */
  async followed(count = 1): Promise<void> {
    const atEnd = () => [...this.#holding].filter(({ from }) => from >= this.#log.length).length;
    while (atEnd() < count) await sleep(5);
  }

  /** Answers a request, when it asks for that after a wait. */
  async answer({ path }: SeenRequest): Promise<Response> {
    const { pathname, searchParams: query } = new URL(path, 'http://api.test');
    if (pathname === '/events') return this.#answerEvents(query);
    const one = this.#messages.find(({ id }) => pathname === `/messages/${id}`);
    if (one) return answer(200, { ...one });
    const found = this.#find(query);
    const from = Number(query.get('cursor') ?? 0);
    const size = Math.min(pageItems, Number(query.get('limit') ?? pageItems));
    const next_cursor = found.length > from + size ? String(from + size) : null;
    return answer(200, {
      messages: found.slice(from, from + size).map((message) => ({ ...message })),
      next_cursor,
    });
  }

  async #answerEvents(query: URLSearchParams): Promise<Response> {
    const after = query.get('after') === 'latest' ? this.#log.at(-1)?.id : (query.get('after') ?? undefined);
    const from = this.#log.findIndex(({ id }) => id === after) + 1;
    const endMs = performance.now() + Number(query.get('wait_seconds') ?? 0) * 1000;
    const kinds = query.get('events')?.split(',');
    const found = () =>
      this.#log.slice(from).filter(({ event }) => kinds === undefined || kinds.includes(event));
    const place = { from: 0 };
    this.#holding.add(place);
    while (found().length === 0 && performance.now() < endMs && !this.#isOver) {
      place.from = this.#log.length;
      await sleep(5);
    }
    this.#holding.delete(place);
    const events = found().slice(0, pageItems);
    const next_cursor = events.at(-1)?.id ?? after ?? null;
    return answer(200, { events: events.map((event) => ({ ...event })), next_cursor });
  }

  #find(query: URLSearchParams): Message[] {
    const [after, before] = [query.get('after') ?? '', query.get('before') ?? '9'];
    const equals = (name: string, value: string) => (query.get(name) ?? value) === value;
    return this.#messages
      .filter(({ created_at }) => created_at >= after && created_at < before)
      .filter(({ thread_id, from_addr }) => equals('thread_id', thread_id) && equals('from', from_addr))
      .filter(({ direction }) => equals('direction', direction))
      .filter(({ attachments }) => equals('has_attachment', String(attachments.length > 0)))
      .sort((one, other) => (one.id < other.id ? 1 : -1));
  }
}
