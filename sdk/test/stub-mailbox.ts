import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import type { Message } from '../src/index.ts';
import { answer, type SeenRequest } from './stub-api.ts';

type StubMessage = Pick<Message, 'id' | 'created_at' | 'subject' | 'direction' | 'from_addr'>;

const pageItems = 3;

/** The messages of a server with a clock of its own, answered as `GET /messages` answers them. */
export class StubMailbox {
  readonly #messages: StubMessage[] = [];
  readonly #aheadMs: number;
  #isOver = false;
  #count = 0;

  /** A mailbox whose clock is ahead of the clock of this machine. */
  constructor(aheadMs = 0) {
    this.#aheadMs = aheadMs;
    onTestFinished(() => {
      this.#isOver = true;
    });
  }

  /** What the clock of the server shows, or showed so long ago. */
  time(agoMs = 0): string {
    return new Date(Date.now() + this.#aheadMs - agoMs).toISOString();
  }

  /** Stores a message that came in so long ago. */
  deliver(subject: string, agoMs = 0, direction: 'inbound' | 'outbound' = 'inbound'): StubMessage {
    this.#count += 1;
    const id = `msg_${String(this.#count).padStart(4, '0')}`;
    const message = { id, subject, direction, created_at: this.time(agoMs), from_addr: 'ada@example.com' };
    this.#messages.push(message);
    return message;
  }

  /** Answers a list, when it asks for that after a wait. */
  async answer({ path }: SeenRequest): Promise<Response> {
    const query = new URL(path, 'http://api.test').searchParams;
    const endMs = performance.now() + Number(query.get('wait_seconds') ?? 0) * 1000;
    let found = this.#find(query);
    while (found.length === 0 && performance.now() < endMs && !this.#isOver) {
      await sleep(5);
      found = this.#find(query);
    }
    const from = Number(query.get('cursor') ?? 0);
    const size = Number(query.get('limit') ?? pageItems);
    const next_cursor = found.length > from + size ? String(from + size) : null;
    const date = new Date(Math.floor(Date.parse(this.time()) / 1000) * 1000).toUTCString();
    return answer(200, { messages: found.slice(from, from + size), next_cursor }, { date });
  }

  #find(query: URLSearchParams): StubMessage[] {
    const after = query.get('after') ?? '';
    return this.#messages
      .filter(({ created_at, direction }) => created_at >= after && direction === query.get('direction'))
      .sort((one, other) => (one.created_at < other.created_at ? 1 : -1));
  }
}
