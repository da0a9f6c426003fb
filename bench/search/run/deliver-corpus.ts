import { setTimeout as sleep } from 'node:timers/promises';
import { createTransport } from 'nodemailer';
import type { Server } from '../../run/start-server.ts';
import { findSender, fullBody, type MadeMail, mailDomain } from '../corpus/made-mail.ts';
import { escapeXml, makeFile } from '../files/make-file.ts';

/** A corpus that a server has. */
export interface DeliveredCorpus {
  /** The id of a mail of the corpus by the id of its message. */
  ids: Map<string, string>;
  /** The server dates a message by its arrival. These are the times at which the mail of each cut began to arrive. */
  cuts: Map<string, Date>;
}

const connections = 8;
const listPauseMs = 250;
const listWaitMs = 300_000;

/**
 * Gives the mails to a server in the order of their dates: what comes in by SMTP, what is sent by the API, then the labels. `cuts` are
 * dates such as `2026-05-01`; the mails of a date at or after it arrive only once all mails before it are listed.
 */
export async function deliverCorpus(
  server: Server,
  corpus: MadeMail[],
  cuts: string[],
): Promise<DeliveredCorpus> {
  const inboxIds = new Map<string, string>();
  for (const local_part of new Set(corpus.map(({ inbox }) => inbox)))
    inboxIds.set(local_part, (await server.client.inboxes.create({ local_part })).id);
  const delivered: DeliveredCorpus = { ids: new Map(), cuts: new Map() };
  const ends = [...cuts.toSorted(), '9999-12-31'];
  let from = '0000-01-01';
  let count = 0;
  for (const end of ends) {
    const mails = corpus.filter(({ at }) => at.toISOString() >= from && at.toISOString() < end);
    await deliverMails(server, mails, inboxIds, delivered.ids);
    count += mails.length;
    await untilListed(server, count, delivered.ids);
    // Clocks count milliseconds, and no message has this one.
    await sleep(2);
    delivered.cuts.set(end, new Date());
    await sleep(2);
    from = end;
  }
  await addLabels(server, corpus, delivered.ids);
  return delivered;
}

async function deliverMails(
  { client, smtpPort }: Server,
  mails: MadeMail[],
  inboxIds: Map<string, string>,
  ids: Map<string, string>,
): Promise<void> {
  const transport = createTransport({
    host: '127.0.0.1',
    port: smtpPort,
    pool: true,
    maxConnections: connections,
    maxMessages: Number.POSITIVE_INFINITY,
    ignoreTLS: true,
  });
  try {
    const incoming = mails.filter(({ sent }) => !sent);
    await inParallel(connections, incoming, (mail) => transport.sendMail(composeMail(mail)));
  } finally {
    transport.close();
  }
  const outgoing = mails.filter(({ sent }) => sent);
  await inParallel(connections, outgoing, async (mail) => {
    const sent = await client.messages.send({
      inbox_id: inboxIds.get(mail.inbox) ?? '',
      to: mail.correspondent.address,
      subject: mail.subject,
      text: fullBody(mail),
      attachments: mail.files.map((file) => ({
        filename: file.name,
        content_base64: makeFile(file).toString('base64'),
      })),
      ...(mail.answers === null ? {} : { in_reply_to: makeMessageId(mail.answers) }),
    });
    ids.set(sent.id, mail.id);
  });
}

/** Waits until `wanted` messages are listed, and adds the ids of those that came in. */
async function untilListed({ client }: Server, wanted: number, ids: Map<string, string>): Promise<void> {
  const deadline = performance.now() + listWaitMs;
  for (;;) {
    for await (const { id, message_id, direction } of client.messages.list({ limit: 100 })) {
      const name = /^<(.+)@corpus\.example>$/.exec(message_id)?.[1];
      if (direction === 'inbound' && name) ids.set(id, name.replace('.', '/'));
    }
    if (ids.size === wanted) return;
    if (performance.now() > deadline) throw new Error(`${ids.size} of ${wanted} mails are listed.`);
    await sleep(listPauseMs);
  }
}

async function addLabels({ client }: Server, corpus: MadeMail[], ids: Map<string, string>): Promise<void> {
  const messageIds = new Map([...ids].map(([message, made]) => [made, message]));
  const labelled = corpus.filter(({ labels }) => labels.length > 0);
  await inParallel(1, labelled, (mail) =>
    client.messages.update(messageIds.get(mail.id) ?? '', { add_labels: mail.labels }),
  );
}

/** Returns the Message-ID of a mail that comes in. */
function makeMessageId(id: string): string {
  return `<${id.replace('/', '.')}@corpus.example>`;
}

/** Returns the mail for nodemailer: with its files, and with HTML if firms usually send it. */
function composeMail(mail: MadeMail) {
  const body = fullBody(mail);
  return {
    from: findSender(mail),
    to: `${mail.inbox}@${mailDomain}`,
    subject: mail.subject,
    date: mail.at,
    messageId: makeMessageId(mail.id),
    attachments: mail.files.map((file) => ({ filename: file.name, content: makeFile(file) })),
    ...(mail.answers === null
      ? {}
      : { inReplyTo: makeMessageId(mail.answers), references: [makeMessageId(mail.conversation)] }),
    ...(isOnlyHtml(mail) ? {} : { text: body }),
    ...(hasHtml(mail) ? { html: makeHtml(mail.subject, body) } : {}),
  };
}

function hasHtml({ topic }: MadeMail): boolean {
  return ['newsletter', 'order', 'shipping', 'invoice'].includes(topic);
}

/** Many newsletters have no plain text. */
function isOnlyHtml({ topic, at }: MadeMail): boolean {
  return topic === 'newsletter' && at.getTime() % 3 === 0;
}

function makeHtml(subject: string, body: string): string {
  const paragraphs = body.split('\n').map((line) => `<p style="margin:0 0 8px">${escapeXml(line)}</p>`);
  return `<!doctype html><html><head><title>${escapeXml(subject)}</title><style>p { color: #222 }</style></head><body><table><tr><td>${paragraphs.join('\n')}</td></tr></table></body></html>`;
}

/** Does work for each item, for at most `width` items at once, beginning with the first. */
async function inParallel<Item>(
  width: number,
  items: Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
}
