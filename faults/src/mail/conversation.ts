/* A conversation between an inbox of the server and a mailbox at a Postfix, with what goes wrong in one. */
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import type { Message, Postrider, SendReceipt } from 'postrider';
import type { Trial } from '../trial.ts';
import { type Expect, judged, verdictsOn } from './expectations.ts';
import { sendAsStranger, writeMail } from './made-mail.ts';
import type { Postfix } from './postfix.ts';
import { readVerdicts, valuesOf } from './read-headers.ts';
import { hosts, mailboxes, zones } from './scene.ts';

/** Both sides of the conversation. */
export interface Conversation {
  trial: Trial;
  expect: Expect;
  client: Postrider;
  postfix: Postfix;
  inbox: { id: string; address: string };
}

const printed = ['Return-Path', 'Authentication-Results', 'DKIM-Signature', 'Received'];
const waitMs = 60_000;
const pauseMs = 200;

/** An inbox that mail is sent from, and the domains that its mail has to name. */
export interface Sender {
  inbox: { id: string; address: string };
  signature: string;
  returnPath: string;
}

/** Sends a mail to the reader, prints what arrived and judges it. Returns the message. `mail` is what expectations call it. */
export async function sendToReader(talk: Conversation, mail: string, sender: Sender): Promise<Message> {
  const { client, postfix, expect } = talk;
  const { id } = await send(client, sender.inbox.id, mailboxes.reader, mail);
  const raw = await postfix.received(mail);
  printHeaders(talk.trial, `${mail}, at Postfix`, raw);
  const found = readVerdicts(raw, hosts.postfix.name);
  const names = verdictsOn(mail);
  for (const method of ['spf', 'dkim', 'dmarc'] as const) expect(names[method], found[method], 'pass');
  expect(`${mail}: the domain of the signature`, domainOfSignature(raw), sender.signature);
  const [returnPath = ''] = valuesOf(raw, 'return-path');
  expect(`${mail}: the domain of the return path`, returnPath.replace(/^.*@|>$/g, ''), sender.returnPath);
  expect(`${mail}: From`, valuesOf(raw, 'from'), [sender.inbox.address]);
  expect(`${mail}: the status`, await settledStatus(client, id), 'sent');
  return client.messages.get(id);
}

/** Answers from the reader's side, and judges what the server says of the answer and of its sender. */
export async function answerFromReader(talk: Conversation, sent: Message): Promise<void> {
  const { client, postfix, inbox, expect, trial } = talk;
  const subject = `Re: ${sent.subject}`;
  const [from, to, messageId] = [mailboxes.reader, inbox.address, `<answer@${zones.receiver}>`];
  const raw = writeMail({ from, to, subject, messageId, inReplyTo: sent.message_id });
  await postfix.submit(from, to, raw);
  const answer = await arrived(client, inbox.id, subject);
  printHeaders(trial, `${judged.answer}, at the server`, await originalOf(client, answer.id));
  const names = verdictsOn(judged.answer);
  const { spf, dkim, dmarc, verified_domain } = answer.authentication ?? {};
  expect(names.spf, spf, 'pass');
  expect(names.dkim, dkim, 'pass');
  expect(names.dmarc, dmarc, 'pass');
  expect(`${judged.answer}: the verified domain`, verified_domain, zones.receiver);
  expect(`${judged.answer}: in the thread of our mail`, answer.thread_id === sent.thread_id, true);
}

/** Sends mail in the reader's name from a host that may not, and judges what the server says of it. */
export async function forgeReader({ client, inbox, expect }: Conversation): Promise<void> {
  const subject = 'Forged in their name';
  const [from, messageId] = [mailboxes.reader, `<forged@${zones.receiver}>`];
  await sendAsStranger(hosts.server.address, from, { from, to: inbox.address, subject, messageId });
  const { authentication } = await arrived(client, inbox.id, subject);
  const expected = { spf: 'fail', dkim: 'none', dmarc: 'fail', verified_domain: null };
  expect('forged in their name: what the server says', authentication, expected);
}

/** Sends mail in the name of the inbox from a host that may not, and judges what Postfix says of it. */
export async function forgeInbox({ postfix, inbox, expect, trial }: Conversation): Promise<void> {
  const subject = 'Forged in our name';
  const [from, messageId] = [inbox.address, `<forged@${zones.own}>`];
  const mail = { from, to: mailboxes.reader, subject, messageId };
  await sendAsStranger(hosts.postfix.address, `bounces+forged@bounce.${zones.own}`, mail);
  const raw = await postfix.received(subject);
  printHeaders(trial, 'forged mail at Postfix', raw);
  const expected = { spf: 'fail', dkim: 'none', dmarc: 'fail' };
  expect('forged in our name: what Postfix says', readVerdicts(raw, hosts.postfix.name), expected);
}

/** Sends to an address that Postfix refuses, and to one whose mail it returns later. Both must become bounces and suppressions. */
export async function bounce({ client, inbox, expect }: Conversation): Promise<void> {
  const refused = `nobody@${zones.receiver}`;
  for (const [how, address] of [
    ['refused at once', refused],
    ['returned later', mailboxes.moved],
  ] as const) {
    const { id } = await send(client, inbox.id, address, `To a mailbox, ${how}`);
    const find = async () => {
      const { recipients } = await client.messages.get(id);
      return recipients.find(({ status }) => status === 'bounced');
    };
    const bounced = await eventually(`a bounce of what was ${how}`, find, waitMs, pauseMs);
    const reply = `550 5.1.1 <${address}>: Recipient address rejected: User unknown in virtual mailbox table`;
    expect(`${how}: the detail of the recipient`, bounced.detail, reply);
    const { suppressions } = await client.suppressions.list();
    const reasons = suppressions.filter((entry) => entry.address === address).map(({ reason }) => reason);
    expect(`${how}: the suppression`, reasons, ['hard_bounce']);
  }
}

function send(client: Postrider, inbox_id: string, to: string, subject: string): Promise<SendReceipt> {
  return client.messages.send({ inbox_id, to: [to], subject, text: 'Hello from the inbox.' });
}

async function arrived(client: Postrider, inbox_id: string, subject: string): Promise<Message> {
  return eventually(
    `"${subject}" in the inbox`,
    async () => {
      const { messages } = await client.messages.list({ inbox_id, direction: 'inbound' });
      return messages.find((message) => message.subject === subject);
    },
    waitMs,
    pauseMs,
  );
}

async function settledStatus(client: Postrider, id: string): Promise<string> {
  return eventually(
    'a settled status',
    async () => {
      const { delivery_status } = await client.messages.get(id);
      return ['queued', 'sending'].includes(delivery_status) ? null : delivery_status;
    },
    waitMs,
    pauseMs,
  );
}

function domainOfSignature(raw: string): string | undefined {
  const [signature = ''] = valuesOf(raw, 'dkim-signature');
  return /(?:^|;)\s*d=([^;\s]+)/.exec(signature)?.[1];
}

async function originalOf(client: Postrider, id: string): Promise<string> {
  const { url } = await client.messages.raw(id);
  return (await fetch(url)).text();
}

function printHeaders({ progress }: Conversation['trial'], what: string, raw: string): void {
  progress(`${what}:`);
  for (const name of printed) for (const value of valuesOf(raw, name)) progress(`      ${name}: ${value}`);
}
