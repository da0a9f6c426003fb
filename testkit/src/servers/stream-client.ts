import { type IncomingMessage, request } from 'node:http';
import type { Event } from 'postrider';
import { eventually } from '../lib/eventually.ts';
import type { RefusedUpgrade } from './realtime-client.ts';

/** A block of a stream of server-sent events: the lines up to an empty one, by their fields. A comment has the empty name. */
export type StreamBlock = Record<string, string>;

/** A stream of a test, with everything that came over it. */
export interface StreamClient {
  response: IncomingMessage;
  blocks: StreamBlock[];
  /** Returns the events that came. */
  events(): Event[];
  /** Returns the last id that came; null before the first one. */
  lastId(): string | null;
  /** Resolves to the code of the event `end`, or to null if the stream ended without one. */
  ended: Promise<number | null>;
  /** Resolves once `count` events have come. */
  received(count: number): Promise<Event[]>;
  close(): void;
}

/** The options with which a stream is opened. */
export interface StreamRequest {
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

function parseBlock(text: string): StreamBlock {
  return Object.fromEntries(
    text.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
    }),
  );
}

/**
 * Opens a stream of the events of `http://host:port`. Resolves with the stream once its first bytes have come, and rejects with the
 * response if that is another one.
 */
export async function openEventStream(
  origin: string,
  key: string | null,
  { query = {}, headers = {} }: StreamRequest = {},
): Promise<StreamClient> {
  const authorization: Record<string, string> = key === null ? {} : { authorization: `Bearer ${key}` };
  const sent = request(`${origin}/v1/events?${new URLSearchParams(query)}`, {
    agent: false,
    headers: { accept: 'text/event-stream', ...authorization, ...headers },
  });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end();
  });
  sent.on('error', () => {});
  response.on('error', () => {});
  response.setEncoding('utf8');
  if (response.headers['content-type'] !== 'text/event-stream') throw await refusal(response);
  const blocks: StreamBlock[] = [];
  let rest = '';
  response.on('data', (part: string) => {
    const texts = (rest + part).split('\n\n');
    rest = texts.pop() ?? '';
    blocks.push(...texts.map(parseBlock));
  });
  const events = () =>
    blocks
      .filter(({ data, event }) => data !== undefined && event !== 'end')
      .map(({ data = '' }) => JSON.parse(data));
  const ended = new Promise<number | null>((resolve) => {
    response.once('close', () => {
      const last = blocks.at(-1);
      resolve(last?.event === 'end' ? JSON.parse(last.data ?? '').code : null);
    });
  });
  await eventually('the first bytes', async () => blocks.length > 0);
  return {
    response,
    blocks,
    events,
    lastId: () => blocks.findLast(({ id }) => id !== undefined)?.id ?? null,
    ended,
    received: async (count) => {
      await eventually(`${count} events`, async () => events().length >= count);
      return events();
    },
    close: () => sent.destroy(),
  };
}

async function refusal(response: IncomingMessage): Promise<Error & { refused: RefusedUpgrade }> {
  let text = '';
  for await (const part of response) text += part;
  const { statusCode: status = 0, headers } = response;
  const refused: RefusedUpgrade = { status, headers, body: JSON.parse(text) };
  return Object.assign(new Error(`The response was ${status}: ${text}`), { refused });
}

/** Returns the response that came instead of a stream. */
export async function refusalOfStream(opening: Promise<StreamClient>): Promise<RefusedUpgrade> {
  const error = await opening.then(
    (client) => {
      client.close();
      throw new Error('The stream was opened.');
    },
    (thrown: Error & { refused?: RefusedUpgrade }) => thrown,
  );
  if (!error.refused) throw error;
  return error.refused;
}
