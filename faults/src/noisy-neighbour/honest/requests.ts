import { setTimeout as sleep } from 'node:timers/promises';
import { nowMs } from '../figures.ts';
import type { Target } from '../target.ts';

/** A response to the honest tenant. */
export interface HonestAnswer {
  /** Null if there was no response. */
  status: number | null;
  body: Record<string, unknown>;
}

/** A request that was made. */
export interface MadeRequest {
  at: number;
  tookMs: number;
  /** The status, or `no answer`. */
  outcome: string;
  path: string;
}

/** The honest tenant's client of the servers, which uses them in turn and records each request. */
export class HonestClient {
  readonly made: MadeRequest[] = [];
  targets: Target[];
  readonly key: string;
  #turn = 0;

  constructor(targets: Target[], key: string) {
    this.targets = targets;
    this.key = key;
  }

  /** Returns the next server in turn. */
  target(): Target {
    return this.targets[this.#turn++ % this.targets.length] as Target;
  }

  /** Makes a request and records it. It never rejects. */
  async request(method: string, path: string, body?: object): Promise<HonestAnswer> {
    const at = nowMs();
    const answer = await this.#fetch(method, path, body);
    const outcome = answer.status === null ? 'no answer' : String(answer.status);
    this.made.push({ at, tookMs: nowMs() - at, outcome, path: `${method} ${path.split('?')[0]}` });
    return answer;
  }

  /** Repeats a request until it succeeds, and returns the body of the response. It is for set-up and accounting. */
  async insist(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    for (let tries = 0; ; tries++) {
      const answer = await this.#fetch(method, path, body);
      if (answer.status !== null && answer.status < 300) return answer.body;
      if (tries >= insistTimes)
        throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      await sleep(insistPauseMs);
    }
  }

  /** Returns all items of a list, from all its pages. */
  async all<T>(path: string, plural: string): Promise<T[]> {
    const items: T[] = [];
    for (let cursor: unknown = null; ; ) {
      const more = cursor === null ? '' : `&cursor=${encodeURIComponent(String(cursor))}`;
      const page = await this.insist('GET', `${path}${more}`);
      items.push(...(page[plural] as T[]));
      cursor = page.next_cursor;
      if (cursor === null) return items;
    }
  }

  async #fetch(method: string, path: string, body?: object): Promise<HonestAnswer> {
    try {
      const response = await fetch(`${this.target().url}/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.key}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        signal: AbortSignal.timeout(answerMsMax),
      });
      const text = await response.text();
      return { status: response.status, body: text ? (JSON.parse(text) as Record<string, unknown>) : {} };
    } catch {
      return { status: null, body: {} };
    }
  }
}

const answerMsMax = 120_000;
const insistTimes = 60;
const insistPauseMs = 500;
