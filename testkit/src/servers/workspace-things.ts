import { operator } from '../../../server/src/audit/append-audit.ts';
import { newId } from '../../../server/src/lib/ids.ts';
import { setPolicy } from '../../../server/src/policies/set-policy.ts';
import type { Named } from '../http/route-requests.ts';
import { sendMail } from '../smtp/smtp-client.ts';
import type { TestServer, TestWorkspace } from './test-server.ts';

/** One of everything that a workspace can have, by its id. */
export interface WorkspaceThings {
  ids: Record<Named, string>;
}

const idPrefixes = {
  inbox: 'inb',
  message: 'msg',
  thread: 'thr',
  attachment: 'att',
  label: 'lbl',
  rule: 'rul',
  webhook: 'whk',
  delivery: 'dlv',
  draft: 'dft',
  domain: 'dom',
  event: 'evt',
  held: 'msg',
} as const;

/** Returns a well-formed id that nothing has. For a suppression, it is an address that is on no list. */
export function unknownId(named: Named): string {
  if (named === 'suppressed') return `nobody-${newId('msg')}@remote.example`;
  // If an event is older than the kept ones, it is not known whether it existed.
  return named === 'event' ? newId('evt') : newId(idPrefixes[named], new Date('2026-01-01T00:00:00Z'));
}

/**
 * Fills a workspace with one of everything, over the API. With `name`, by which its label is called, its webhook is for its inbox alone,
 * so that a workspace can be filled several times.
 */
export async function fillWorkspace(
  server: TestServer,
  owner: TestWorkspace,
  name?: string,
): Promise<WorkspaceThings> {
  const { client } = owner;
  const received = await receiveOne(server, owner);
  const inbox = received.inbox_id;
  const webhook = await client.webhooks.create({
    url: 'https://agent.example.com/hooks',
    events: ['message.received'],
    ...(name !== undefined && { inbox_ids: [inbox] }),
  });
  const rule = { kind: 'block', direction: 'outbound', pattern: 'spam.example' } as const;
  const ids: Record<Named, string> = {
    inbox,
    message: received.id,
    thread: received.thread_id,
    attachment: received.attachments[0]?.id ?? '',
    label: await assignLabel(owner, received.id, name),
    suppressed: await suppress(server, owner),
    event: await findEvent(server, received.id),
    held: await holdOne(server, owner, inbox),
    webhook: webhook.id,
    delivery: (await client.webhooks.test(webhook.id)).id,
    rule: (await client.rules.create(rule)).id,
    draft: (await client.drafts.create({ inbox_id: inbox, to: ['ada@remote.example'] })).id,
    domain: await addDomain(server, owner),
  };
  return { ids };
}

/** Adds a domain and marks it as verified, as if its records had been published. */
export async function addDomain(server: TestServer, { client }: TestWorkspace): Promise<string> {
  const { id } = await client.domains.create({ hostname: `${server.freshName()}.example.com` });
  await server.rows(
    `update domains set status = 'verified', verified_at = created_at, due_at = null, fence = fence + 1000 where id = $1`,
    [id],
  );
  return id;
}

async function receiveOne(server: TestServer, owner: TestWorkspace) {
  const inbox = await server.inbox(owner);
  await sendMail(server.smtpPort, {
    from: 'ada@remote.example',
    to: inbox.address,
    subject: 'The plan',
    text: 'Is it sound?',
    attachments: [{ filename: 'plan.txt', content: 'A plan.' }],
  });
  const { messages } = await owner.client.messages.list({ inbox_id: inbox.id });
  if (!messages[0]) throw new Error('A mail that was answered with 250 is not listed.');
  return messages[0];
}

async function assignLabel({ client }: TestWorkspace, message_id: string, name = 'Theirs'): Promise<string> {
  const { id } = await client.labels.create({ name });
  await client.labels.assign(id, { message_id });
  return id;
}

async function suppress({ freshName }: TestServer, { client }: TestWorkspace): Promise<string> {
  const { address } = await client.suppressions.create({ address: `${freshName('gone')}@remote.example` });
  return address;
}

/** Has a message held, as if the policy of the workspace asked for approval. */
async function holdOne({ server }: TestServer, { id, client }: TestWorkspace, inbox_id: string) {
  const place = { workspaceId: id, level: 'workspace', subjectId: id } as const;
  await setPolicy(server.deps, place, { send: 'approve' }, operator);
  const sent = await client.messages.send({
    inbox_id,
    to: 'ada@remote.example',
    subject: 'May this go out?',
  });
  await setPolicy(server.deps, place, {}, operator);
  return sent.id;
}

async function findEvent({ rows }: TestServer, messageId: string): Promise<string> {
  const events = await rows<{ id: string }>('select id from events where message_id = $1', [messageId]);
  return events[0]?.id ?? '';
}
