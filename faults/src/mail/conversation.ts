/* A conversation between an inbox of the server and a mailbox at a Postfix. */
import type { Message, Postrider } from 'postrider';
import { judged, recordVerdicts, verdictsOn } from './expectations.ts';
import {
  arrivedAtServer,
  type Conversation,
  judgeAtPostfix,
  printHeaders,
  type Sender,
  type Sent,
} from './judge-mail.ts';
import { writeMail } from './made-mail.ts';
import { headerValues } from './read-headers.ts';
import { hosts, mailboxes, zones } from './scene.ts';

/** Sends a plain mail to the reader and judges what arrived. `mail` is what expectations call it. */
export async function sendToReader(talk: Conversation, mail: string, sender: Sender): Promise<Sent> {
  const sent = await talk.client.messages.send({
    inbox_id: sender.inbox.id,
    to: [mailboxes.reader],
    subject: mail,
    text: 'Hello from the inbox.',
  });
  const raw = await judgeAtPostfix(talk, mail, sent, sender);
  talk.expect(`${mail}: From`, headerValues(raw, 'from'), [sender.inbox.address]);
  return sent;
}

/** Sends what signatures break on if it is changed on the way: long lines, dots, spaces at ends, letters outside ASCII, a file. */
export async function sendDifficultMail(talk: Conversation, sender: Sender): Promise<void> {
  const text = [
    '.',
    '..dots',
    'From here',
    'spaces  ',
    '\ttab\t',
    'Grüße, 您好 🙂',
    'x'.repeat(3_000),
    '',
    '',
  ].join('\n');
  const sent = await talk.client.messages.send({
    inbox_id: sender.inbox.id,
    to: [mailboxes.reader],
    subject: `Grüße und ${'lange Wörter '.repeat(12)}`,
    text,
    html: `<p>${text}</p>`,
    attachments: [{ filename: 'Übersicht.bin', content: Buffer.from(allBytes) }],
  });
  await judgeAtPostfix(talk, 'difficult mail', sent, sender);
}

const allBytes = Array.from({ length: 70_000 }, (_, at) => at % 256);

/** Answers from the reader's side, and judges what the server says of the answer and of its sender. Returns the answer. */
export async function answerFromReader(talk: Conversation, sent: Sent): Promise<Message> {
  const { client, postfix, inbox, expect, trial } = talk;
  const [from, to, messageId] = [mailboxes.reader, inbox.address, `<answer@${zones.receiver}>`];
  const text = 'Grüße vom Leser.\n.\n';
  await postfix.submit(
    from,
    to,
    writeMail({ from, to, subject: 'Re: our mail', messageId, inReplyTo: sent.message_id, text }),
  );
  const answer = await arrivedAtServer(talk, messageId);
  printHeaders(trial, `${judged.answer}, at the server`, await readOriginal(client, answer.id));
  const { verified_domain = null, ...found } = answer.authentication ?? noVerdicts;
  recordVerdicts(trial, judged.answer, found);
  const names = verdictsOn(judged.answer);
  for (const method of ['spf', 'dkim', 'dmarc'] as const) expect(names[method], found[method], 'pass');
  expect(`${judged.answer}: the verified domain`, verified_domain, zones.receiver);
  const isUnderTls = new RegExp(`TLS connection established to ${hosts.server.name}`).test(
    await postfix.log(),
  );
  expect(`${judged.answer}: under TLS`, isUnderTls, true);
  expect(`${judged.answer}: the text`, answer.body_text, text);
  const { thread_id } = await client.messages.get(sent.id);
  expect(`${judged.answer}: in the thread of our mail`, answer.thread_id === thread_id, true);
  return answer;
}

const noVerdicts = { spf: 'missing', dkim: 'missing', dmarc: 'missing', verified_domain: null };

/** Replies to the reader's answer, and judges the reply and how it joins the conversation. */
export async function replyToReader(talk: Conversation, answer: Message, sender: Sender): Promise<void> {
  const reply = await talk.client.messages.reply(answer.id, { text: 'And back.' });
  const raw = await judgeAtPostfix(talk, 'our reply', reply, sender);
  talk.expect('our reply: In-Reply-To', headerValues(raw, 'in-reply-to'), [answer.message_id]);
}

async function readOriginal(client: Postrider, id: string): Promise<string> {
  const { url } = await client.messages.raw(id);
  return (await fetch(url)).text();
}
