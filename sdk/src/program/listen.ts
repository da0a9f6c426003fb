/*
 * Forwards events to a URL on this machine, signed like webhook deliveries. A program on a laptop has no URL that the server can post to.
 * Events are posted one at a time, and a failed one is posted again, so none is left out.
 */
import { randomBytes } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEnvironment } from '../environment.ts';
import { environment, webhookSecretPrefix } from '../generated/brand.ts';
import { type Event, type EventKind, Postrider } from '../index.ts';
import { signDelivery } from '../testing.ts';
import { findInbox } from './find-inbox.ts';
import { printResult, readArguments, required, UsageError, type Verb } from './verb.ts';

const secretBytes = 32;
const postWaitMs = 30_000;
const firstRetryMs = 1_000;
const lastRetryMs = 30_000;

/** Follows the event log and posts each event to a local URL. */
export const listen: Verb = {
  about: 'post events to a URL on this machine, signed as webhooks are',
  usage: [
    '--forward-to URL [--events KIND,KIND] [--inbox INBOX] [--json]',
    '--forward-to URL --after EVENT          begins after an event, or at the "beginning" of the log',
    '--forward-to URL --cursor FILE          continues where it stopped',
  ],
  run: async (args) => {
    const { values } = readArguments(args, {
      'forward-to': { type: 'string' },
      events: { type: 'string' },
      inbox: { type: 'string' },
      after: { type: 'string' },
      cursor: { type: 'string' },
      secret: { type: 'string' },
    });
    const url = required('forward-to', values['forward-to']);
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new UsageError(`--forward-to takes a URL such as http://127.0.0.1:3000/hooks, not ${url}.`);
    const client = new Postrider();
    const stream = client.events.stream({
      after: (await readCursor(values.cursor)) ?? values.after,
      events: values.events?.split(',') as EventKind[] | undefined,
      inbox_id: values.inbox === undefined ? undefined : (await findInbox(client, values.inbox)).id,
    });
    await writeCursor(values.cursor, await stream.ready());
    const secret = values.secret ?? readEnvironment(environment.webhookSecret) ?? announceSecret();
    console.error(`Forwarding events to ${url}. Press Ctrl-C to stop.`);
    for await (const event of stream) {
      await postUntilTaken(url, event, secret);
      printResult(event, values.json, () => describe(event));
      await writeCursor(values.cursor, stream.cursor);
    }
  },
};

/** Returns a new secret, and prints it for the receiver. */
function announceSecret(): string {
  const secret = webhookSecretPrefix + randomBytes(secretBytes).toString('base64');
  console.error(`Deliveries are signed. For the receiver: ${environment.webhookSecret}=${secret}`);
  return secret;
}

async function postUntilTaken(url: string, event: Event, secret: string): Promise<void> {
  for (let waitMs = firstRetryMs; ; waitMs = Math.min(2 * waitMs, lastRetryMs)) {
    // Signed again for each attempt, because receivers refuse old signatures.
    const problem = await post(url, event, secret);
    if (problem === null) return;
    console.error(`${event.event} ${event.id}: ${problem}; trying again in ${waitMs / 1_000} s`);
    await sleep(waitMs);
  }
}

/** Posts an event. Returns the reason if the receiver did not accept it, otherwise null. */
async function post(url: string, event: Event, secret: string): Promise<string | null> {
  const { body, headers } = await signDelivery(event, secret);
  try {
    const signal = AbortSignal.timeout(postWaitMs);
    const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal });
    await answer.body?.cancel();
    return answer.ok ? null : `${url} responded with ${answer.status}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return `${url} could not be reached: ${cause instanceof Error ? cause.message : message}`;
  }
}

async function readCursor(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.trim() || undefined;
}

/** Replaces the file in one step, so that a process that ends meanwhile leaves the previous place. */
async function writeCursor(path: string | undefined, cursor: string | null): Promise<void> {
  if (path === undefined || cursor === null) return;
  await writeFile(`${path}.new`, `${cursor}\n`);
  await rename(`${path}.new`, path);
}

function describe({ event, id, message }: Event): string {
  return `${event}  ${id}${message === null ? '' : `  ${message.from_addr}: ${message.subject}`}`;
}
