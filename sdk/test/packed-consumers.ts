/** Compiler options that consumers have; each checks the types of the package too, since none skips libraries. */
export const consumerProjects: Record<string, { module: string } & Record<string, unknown>> = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext', lib: ['es2023'], types: ['node'] },
  bundler: {
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.asynciterable'],
    types: [],
  },
  'what tsc --init writes': {
    module: 'nodenext',
    target: 'esnext',
    types: [],
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    noUncheckedSideEffectImports: true,
    moduleDetection: 'force',
  },
};

/** A consumer that uses every kind of type. */
export const typedConsumer = `
import { APIError, Postrider, type ClientOptions, type Event, type Message, type RateLimitError } from 'postrider';
import { Management, type NewApiKey } from 'postrider/management';
import { sampleEvent, signDelivery } from 'postrider/testing';
import { fetchWebhook, unwrap, WebhookVerificationError } from 'postrider/webhooks';

export async function consume(options: ClientOptions): Promise<string[]> {
  const client = new Postrider(options);
  const inbox = await client.inboxes.create({ local_part: 'agent', display_name: null });
  const { requestId } = await client.messages
    .send({ inbox_id: inbox.id, to: ['ada@example.com'], subject: 'Hi', attachments: [{ path: './a.pdf' }] })
    .withResponse();
  const subjects: string[] = [requestId ?? ''];
  for await (const message of client.messages.list({ limit: 2 })) subjects.push(message.subject);
  const page = await client.threads.list();
  if (page.hasNextPage()) subjects.push(...(await page.nextPage()).threads.map(({ subject }) => subject));
  const reply: Message = await client.messages.waitFor({ inbox_id: inbox.id, match: (one) => one.subject !== '' });
  return [...subjects, reply.subject];
}

export async function keyFor(token: string): Promise<NewApiKey> {
  const manager = new Management({ token, workspace: 'wsp_1' });
  for await (const { state } of manager.approvals.list({ state: 'held' })) if (state === 'held') break;
  return manager.keys.create({ name: 'agent', policy: { send: 'approve' } });
}

export function explain(error: unknown): string {
  if (!(error instanceof APIError)) return String(error);
  if (error.code === 'no_deliverable_recipients') return error.blocked.map(({ address }) => address).join();
  if (error.code === 'attachment_too_large') return String(error.limit_bytes + 1);
  // @ts-expect-error the field belongs to other codes
  return error.limit_bytes;
}

// What is inferred here can be named in a declaration.
export const methods = ({ messages, drafts }: Postrider) => [messages.send, messages.reply, drafts.create] as const;
export const hook = fetchWebhook((event, env: { SECRET: string }) => event.message?.subject, {
  secret: (env) => env.SECRET,
});

export async function bounceOf(): Promise<'hard' | 'soft' | null> {
  const { body, headers } = await signDelivery(sampleEvent('message.bounced', { recipient: 'ada@example.com' }));
  const event: Event | null = await unwrap(body, new Headers(headers)).catch((error: unknown) => {
    if (error instanceof WebhookVerificationError && error.reason === 'missing_secret') return null;
    throw error;
  });
  return event?.event === 'message.bounced' ? event.bounce.type : null;
}

export async function follow(client: Postrider): Promise<string | undefined> {
  for await (const event of client.events.stream({ events: ['message.received'] })) return event.message?.subject;
  const { code } = await client.messages.waitForCode({ inbox_id: 'inb_1' });
  return code;
}

export const seconds = (error: RateLimitError) => (error.code === 'rate_limited' ? error.retry_after_seconds : 0);
`;

/** The beginning that the snippets of the README go on from. */
export const snippetContext = `
import { Postrider } from 'postrider';
declare const client: import('postrider').Postrider;
declare const inbox: import('postrider').Inbox;
declare const params: import('postrider').SendMessageParams;
declare const message: import('postrider').Message;
declare function load(): Promise<string | undefined>;
declare function store(cursor: string | null): Promise<void>;
declare const controller: AbortController;
`;

/** How an ES module gets the package. */
export const moduleConsumer = `
import { APIError, NotFoundError, Postrider, PostriderError, TimeoutError, WaitTimeoutError, WebhookVerificationError } from 'postrider';
import { sampleEvent, signDelivery, testSecret } from 'postrider/testing';
import { unwrap } from 'postrider/webhooks';
`;

/** How a CommonJS module gets the package. */
export const commonJsConsumer = `
const { NotFoundError, Postrider, PostriderError, WebhookVerificationError } = require('postrider');
const { sampleEvent, signDelivery, testSecret } = require('postrider/testing');
const { unwrap } = require('postrider/webhooks');
`;

/** Two calls against the server named by the last argument, two deliveries, one of each fails, and a stream. */
export const smoke = `
async function main() {
  const client = new Postrider({ apiKey: 'pr_test_key', baseURL: process.argv.at(-1) });
  const { id } = await client.inboxes.get('inb_1');
  const error = await client.inboxes.get('inb_2').catch((reason) => reason);
  if (!(error instanceof NotFoundError)) throw error;
  const { body, headers } = await signDelivery(sampleEvent('message.received'));
  const { event } = await unwrap(body, headers, testSecret);
  const refusal = await unwrap(body + ' ', headers, testSecret).catch((reason) => reason);
  // An error is the same class, whichever entry it came through.
  if (!(refusal instanceof WebhookVerificationError && refusal instanceof PostriderError)) throw refusal;
  // Where there is no WebSocket, the stream is read over HTTP.
  const stream = client.events.stream();
  const { value } = await stream.next();
  await stream.return();
  console.log(id, error.code, error.requestId, event, refusal.reason, value.id);
}

main().then(() => process.exit());
`;
