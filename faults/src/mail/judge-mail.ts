/* Both sides of a conversation judge each mail. */
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import type { Message, Postrider } from 'postrider';
import type { Trial } from '../trial.ts';
import { type Expect, recordVerdicts, verdictsOn } from './expectations.ts';
import type { Postfix } from './postfix.ts';
import { headerValues, readVerdicts } from './read-headers.ts';
import { hosts } from './scene.ts';

/** Both sides of the conversation. */
export interface Conversation {
  trial: Trial;
  expect: Expect;
  client: Postrider;
  postfix: Postfix;
  inbox: { id: string; address: string };
}

/** The inbox that a mail is sent from, and the domains that the mail has to name. */
export interface Sender {
  inbox: { id: string; address: string };
  signature: string;
  returnPath: string;
}

/** A mail that the server has sent. */
export type Sent = Pick<Message, 'id' | 'message_id'>;

export const waitMs = 60_000;
export const pauseMs = 200;
const printed = ['Return-Path', 'Authentication-Results', 'DKIM-Signature', 'Received'];

/** Waits for a mail at Postfix, prints its headers and judges it. `mail` is what expectations call it. Returns what arrived. */
export async function judgeAtPostfix(
  { trial, client, postfix, expect }: Conversation,
  mail: string,
  { id, message_id }: Sent,
  sender: Sender,
): Promise<string> {
  const raw = await postfix.received(message_id);
  printHeaders(trial, `${mail}, at Postfix`, raw);
  const found = readVerdicts(raw, hosts.postfix.name);
  recordVerdicts(trial, mail, found);
  const names = verdictsOn(mail);
  for (const method of ['spf', 'dkim', 'dmarc'] as const) expect(names[method], found[method], 'pass');
  const [[returnPath = ''], [signature = '']] = [
    headerValues(raw, 'return-path'),
    headerValues(raw, 'dkim-signature'),
  ];
  expect(`${mail}: the domain of the signature`, /\bd=([^;\s]+)/.exec(signature)?.[1], sender.signature);
  expect(`${mail}: the domain of the return path`, returnPath.replace(/^.*@|>$/g, ''), sender.returnPath);
  expect(`${mail}: under TLS`, /using TLSv1/.test(headerValues(raw, 'received').join()), true);
  expect(`${mail}: the status`, await settledStatus(client, id), 'sent');
  return raw;
}

/** Waits for a mail in the inbox and returns it. */
export async function arrivedAtServer({ client, inbox }: Conversation, messageId: string): Promise<Message> {
  const find = async () => {
    const { messages } = await client.messages.list({ inbox_id: inbox.id, direction: 'inbound' });
    return messages.find(({ message_id }) => message_id === messageId);
  };
  return client.messages.get(
    (await eventually(`${messageId} in the inbox`, find, { withinMs: waitMs, pauseMs })).id,
  );
}

/** Prints the headers of a mail that tell its way and what was found of it. */
export function printHeaders({ progress }: Pick<Trial, 'progress'>, what: string, raw: string): void {
  progress(`${what}:`);
  for (const name of printed)
    for (const value of headerValues(raw, name)) progress(`      ${name}: ${value}`);
}

function settledStatus(client: Postrider, id: string): Promise<string> {
  const find = async () => {
    const { delivery_status } = await client.messages.get(id);
    return ['queued', 'sending'].includes(delivery_status) ? null : delivery_status;
  };
  return eventually('a settled status', find, { withinMs: waitMs, pauseMs });
}
