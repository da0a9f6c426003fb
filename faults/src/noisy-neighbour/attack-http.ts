import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from './attack.ts';

/** A request of an attacker. By default it is a GET without a body, with the attacker's key. */
export interface AttackRequest {
  method?: string;
  path: string;
  body?: Buffer | object;
  headers?: Record<string, string>;
  /** The last byte of the address from which it comes. */
  from?: number;
  /** Whether to keep the text of the response. */
  keeps?: boolean;
  /** Whether the response has several messages, so that its size is judged. */
  isList?: boolean;
  /** Returns a request that follows the response if that was 200 or 201. */
  follow?(text: string): AttackRequest;
}

/** A response to an attacker. Its status is null if there was none. */
export interface AttackAnswer {
  status: number | null;
  bytes: number;
  /** Empty unless it was to be kept, or the error if there was no response. */
  text: string;
}

const agents = new Map<number, Agent>();
const answerMsMax = 60_000;

/** Makes a request and counts its response. It never rejects. */
export async function ask(attack: Attack, made: AttackRequest): Promise<AttackAnswer> {
  const { method = 'GET', path, isList = false } = made;
  const answer = await exchange(attack, made).catch(
    (error: NodeJS.ErrnoException): AttackAnswer => ({
      status: null,
      bytes: 0,
      text: error.code ?? error.message,
    }),
  );
  const what = `${method} ${path.split('?')[0]?.replace(/\/[a-z]{3}_\w+/, '/{id}')}`;
  attack.count(`${what}: ${answer.status ?? 'no answer'}`);
  if (isList && answer.status === 200) attack.sized(answer.bytes);
  const isDone = answer.status === 200 || answer.status === 201;
  if (made.follow && isDone) await ask(attack, made.follow(answer.text));
  // A real attacker would not waste time on refusals, and one that spins would take the processor from the server.
  if (answer.status === null || answer.status === 429) await sleep(refusedPauseMs);
  return answer;
}

const refusedPauseMs = 50;

/** Makes a request until the response is 200 or 201, and returns its JSON. It is for things that an attack needs. */
export async function obtain<T>(attack: Attack, made: AttackRequest): Promise<T> {
  for (;;) {
    const { status, text } = await ask(attack, { ...made, keeps: true });
    if (status === 200 || status === 201) return JSON.parse(text) as T;
    if (attack.isOver()) throw new Error(`${made.path}: ${status} ${text.slice(0, 200)}`);
    await sleep(100);
  }
}

function exchange(attack: Attack, made: AttackRequest): Promise<AttackAnswer> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', path, body, headers = {}, from = 1, keeps = made.follow !== undefined } = made;
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const req = request(
      `${attack.target().url}${path}`,
      {
        method,
        agent: chooseAgent(attack, from),
        timeout: answerMsMax,
        headers: {
          authorization: `Bearer ${attack.key}`,
          ...(bytes ? { 'content-type': 'application/json', 'content-length': String(bytes.length) } : {}),
          ...headers,
        },
      },
      (res) => void read(res, keeps).then(resolve, reject),
    );
    req.once('timeout', () => req.destroy(new Error('No answer.')));
    req.once('error', reject);
    req.end(bytes);
  });
}

async function read(res: IncomingMessage, keeps: boolean): Promise<AttackAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of res as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (keeps) chunks.push(chunk);
  }
  return { status: res.statusCode ?? null, bytes, text: Buffer.concat(chunks).toString() };
}

function chooseAgent(attack: Attack, from: number): Agent {
  const agent = agents.get(from) ?? new Agent({ keepAlive: true, localAddress: attack.address(from) });
  agents.set(from, agent);
  return agent;
}

const page = '/console/';

/** Returns the path of the largest file of the console that its page names. */
export async function findLargestFile(attack: Attack): Promise<string> {
  const { text, bytes } = await ask(attack, { path: page, keeps: true });
  const files = [{ path: page, bytes }];
  for (const [, link = ''] of text.matchAll(/(?:src|href)="([^"]+)"/g)) {
    const path = new URL(link, `http://a${page}`).pathname;
    files.push({ path, bytes: (await ask(attack, { path })).bytes });
  }
  return files.toSorted((a, b) => b.bytes - a.bytes)[0]?.path ?? page;
}
