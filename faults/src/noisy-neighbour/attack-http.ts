import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from './attacker.ts';

/** A request of an attacker; what it leaves out is a GET without a body, with its key. */
export interface AttackRequest {
  method?: string;
  path: string;
  body?: Buffer | object;
  headers?: Record<string, string>;
  /** The last byte of the address that it comes from. */
  from?: number;
  /** Keeps the text of the answer. */
  keeps?: boolean;
  /** The answer holds several messages, so that its size is judged. */
  isList?: boolean;
}

/** An answer to an attacker; null for none. */
export interface AttackAnswer {
  status: number | null;
  bytes: number;
  /** Empty unless it was to be kept. */
  text: string;
}

const agents = new Map<number, Agent>();
const answerMsMax = 60_000;

/** Makes a request and counts its answer; never rejects. */
export const ask = async (attack: Attack, made: AttackRequest): Promise<AttackAnswer> => {
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
  // Nobody who wants to do harm spends time on being refused, and an attacker that spins takes the processor from the attacked.
  if (answer.status === null || answer.status === 429) await sleep(refusedPauseMs);
  return answer;
};

const refusedPauseMs = 50;

/** Makes a request until it is answered 200 or 201 and gives its JSON; for what an attack needs. */
export const obtain = async <T>(attack: Attack, made: AttackRequest): Promise<T> => {
  for (;;) {
    const { status, text } = await ask(attack, { ...made, keeps: true });
    if (status === 200 || status === 201) return JSON.parse(text) as T;
    if (attack.isOver()) throw new Error(`${made.path}: ${status} ${text.slice(0, 200)}`);
    await sleep(100);
  }
};

const exchange = (attack: Attack, made: AttackRequest): Promise<AttackAnswer> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', path, body, headers = {}, from = 1, keeps = false } = made;
    const bytes = body === undefined || Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const req = request(
      `${attack.target().url}${path}`,
      {
        method,
        agent: agentOf(attack, from),
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

const read = async (res: IncomingMessage, keeps: boolean): Promise<AttackAnswer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of res as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (keeps) chunks.push(chunk);
  }
  return { status: res.statusCode ?? null, bytes, text: Buffer.concat(chunks).toString() };
};

const agentOf = (attack: Attack, from: number): Agent => {
  const agent = agents.get(from) ?? new Agent({ keepAlive: true, localAddress: attack.address(from) });
  agents.set(from, agent);
  return agent;
};

/** An inbox of the attacker. */
export const openInbox = (attack: Attack, name: string): Promise<{ id: string; address: string }> =>
  obtain(attack, { method: 'POST', path: '/v1/inboxes', body: { local_part: `${attack.name}-${name}` } });
