import type { Postrider } from 'postrider';
import { operator } from '../../../server/src/audit/append-audit.ts';
import { setPolicy } from '../../../server/src/policies/set-policy.ts';
import { eventually } from '../lib/eventually.ts';
import { decideHeld } from '../servers/decide-held.ts';
import type { TestServer } from '../servers/test-server.ts';
import { sendMail } from '../smtp/smtp-client.ts';
import { type DemoMail, demoMails } from './demo-mails.ts';

/** Ids of things in a workspace that has been in use for a while, for pages about one of them. */
export interface Demo {
  inboxId: string;
  threadId: string;
  webhookId: string;
  domainId: string;
  heldId: string;
}

/** The means of filling a workspace: its client, and where its webhook and its mail go. */
interface DemoOptions {
  client: Postrider;
  webhookUrl: string;
}

/** Fills a workspace as a few days of work of its agents would: mail in both directions, bounces, drafts, webhooks, rules and a domain. */
export async function fillDemo(server: TestServer, { client, webhookUrl }: DemoOptions): Promise<Demo> {
  const inboxes = await Promise.all(
    [
      ['support', 'Support'],
      ['orders', 'Orders'],
      ['scheduling', 'Scheduling agent'],
    ].map(([local_part = '', display_name = '']) => client.inboxes.create({ local_part, display_name })),
  );
  const [support, orders] = inboxes;
  if (!support || !orders) throw new Error('Two inboxes are needed.');
  const webhook = await client.webhooks.create({
    url: webhookUrl,
    events: ['message.received', 'message.delivered', 'message.bounced'],
  });
  for (const mail of demoMails) await deliver(server, support.address, mail);
  await server.filed();
  const { messages } = await client.messages.list({ inbox_id: support.id, limit: 100 });
  const question = messages.find(({ subject }) => subject === demoMails[0]?.subject);
  if (!question) throw new Error('The first mail did not arrive.');
  await label(
    client,
    messages.map(({ id }) => id),
  );
  const text =
    'Dear Ada,\n\nyour order left our house yesterday. It should be with you on Thursday.\n\nBest regards\nSupport';
  await client.messages.reply(question.id, { text });
  await sendSome(client, support.id);
  await client.drafts.create({
    inbox_id: orders.id,
    to: ['charles@example.com'],
    subject: 'Your invoice for November',
    text: 'Dear Charles,\n\nplease find your invoice attached.',
    scheduled_at: new Date(Date.now() + 26 * 3_600_000).toISOString(),
  });
  await client.drafts.create({ inbox_id: support.id, subject: 'Notes', text: 'To be continued.' });
  await client.rules.create({ kind: 'block', direction: 'inbound', pattern: 'spam.example' });
  await client.rules.create({ kind: 'allow', direction: 'outbound', pattern: 'example.com' });
  await client.suppressions.create({ address: 'former.customer@example.com' });
  const domain = await client.domains.create({ hostname: 'mail.acme.example' });
  await client.webhooks.test(webhook.id);
  await refuse(server, support.address);
  return {
    inboxId: support.id,
    threadId: question.thread_id,
    webhookId: webhook.id,
    domainId: domain.id,
    heldId: await holdSome(server, client, question.id),
  };
}

/** Has messages held for approval, of which one is refused. Returns the id of one that waits. */
async function holdSome(server: TestServer, client: Postrider, questionId: string): Promise<string> {
  const place = { workspaceId: server.id, level: 'workspace', subjectId: server.id } as const;
  await setPolicy(server.server.deps, place, { send: 'approve' }, operator);
  const { inbox_id } = await client.messages.get(questionId);
  const early = await client.messages.send({
    inbox_id,
    to: ['charles@remote.example'],
    subject: 'Your refund of 1,842.00',
    text: 'Dear Charles,\n\nwe have refunded the whole amount.',
  });
  await decideHeld(server, 'refuse', early.id, 'Wrong facts');
  await client.messages.send({
    inbox_id,
    to: ['katherine@space.example'],
    cc: ['grace@navy.example'],
    subject: 'Thursday at ten',
    text: 'Dear Katherine,\n\nThursday at ten is fine. I have told Grace.',
  });
  const { id } = await client.messages.reply(questionId, {
    cc: ['billing@partner.example'],
    text: 'Dear Ada,\n\nyour order is on its way. See https://shop.example/orders/2041',
    html: '<p>Dear Ada,</p><p>your order is <b>on its way</b>. See <a href="https://track.example/2041">shop.example/orders/2041</a></p>',
    attachments: [{ filename: 'invoice-2041.pdf', content: Buffer.from('%PDF-1.4\n') }],
  });
  await setPolicy(server.server.deps, place, {}, operator);
  return id;
}

async function deliver(
  server: TestServer,
  to: string,
  { from, subject, text, html, files }: DemoMail,
): Promise<void> {
  await sendMail(server.smtpPort, {
    from,
    to,
    subject,
    text,
    ...(html && { html }),
    ...(files && { attachments: files }),
  });
}

async function label(client: Postrider, messageIds: string[]): Promise<void> {
  const urgent = await client.labels.create({ name: 'Urgent', color: '#d92d20' });
  const billing = await client.labels.create({ name: 'Billing', color: '#1570ef' });
  for (const [index, message_id] of messageIds.entries()) {
    if (index % 5 === 1) await client.labels.assign(urgent.id, { message_id });
    if (index % 4 === 2) await client.labels.assign(billing.id, { message_id });
  }
}

/** Sends mail to scripted addresses, and waits until their outcomes are there. */
async function sendSome(client: Postrider, inbox_id: string): Promise<void> {
  const hosts = ['success', 'bounce', 'complaint'];
  for (const host of hosts)
    await client.messages.send({
      inbox_id,
      to: [`${host}@simulator.postrider.test`],
      subject: `A note on your order (${host})`,
      text: 'Dear customer,\n\nthank you for your patience.',
    });
  await eventually('outcomes', async () => {
    const { messages } = await client.messages.list({ inbox_id, direction: 'outbound', limit: 10 });
    return messages.every(({ delivery_status }) => !['queued', 'sending'].includes(delivery_status ?? ''));
  });
}

/** Leaves refusals in the log of deliveries. */
async function refuse(server: TestServer, address: string): Promise<void> {
  const mails = [
    { from: 'offers@spam.example', to: address },
    { from: 'ada@remote.example', to: address.replace('support', 'suport') },
  ];
  for (const mail of mails) await sendMail(server.smtpPort, { ...mail, subject: 'Hello' }).catch(() => {});
}
