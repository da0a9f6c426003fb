import { randomUUID } from 'node:crypto';
import { type Message, NotFoundError, type Postrider } from 'postrider';
import { eventually } from '../lib/eventually.ts';
import { dotStuffed } from '../mail/mail-corpus.ts';
import { RawSmtpClient } from './raw-smtp-client.ts';

/** Sends mails over one connection as they are. */
export interface RawDelivery {
  /** Sends a mail and returns the id of its message. Throws if the reply is not 250, or takes too long for the speed of the machine. */
  deliver(raw: Buffer): Promise<string>;
  close(): void;
}

const answerMsMax = 2_000;
/** How many times as long as a plain mail any other one may take on a machine that is busy. */
const timesPlainMax = 40;
const attemptsMax = 3;

/** Opens a connection that delivers to one address, from one sender. An empty sender is the null sender. */
export async function openRawDelivery(
  port: number,
  to: string,
  from = 'mallory@sender.example',
): Promise<RawDelivery> {
  const smtp = await RawSmtpClient.greet(port);
  const send = async (raw: Buffer) => {
    const startMs = performance.now();
    const { code, lines } = await smtp.deliver(dotStuffed(raw), from, to);
    const id = /msg_\w+/.exec(lines.join(' '))?.[0];
    if (code !== 250 || id === undefined) throw new Error(`The mail was answered ${lines.join(' ')}`);
    return { id, tookMs: Math.round(performance.now() - startMs) };
  };
  const deliver = async (raw: Buffer): Promise<string> => {
    const { id, tookMs } = await send(raw);
    if (tookMs > answerMsMax) await requireBusy(raw, send);
    return id;
  };
  return { deliver, close: () => smtp.destroy() };
}

/** Throws unless the machine is busy. A slow mail is slow each time that it comes, but on a busy machine a plain mail is slow, too. */
async function requireBusy(raw: Buffer, send: (raw: Buffer) => Promise<{ tookMs: number }>) {
  for (let attempt = 1; attempt < attemptsMax; attempt++) {
    const plain = await send(Buffer.from(`Subject: plain ${randomUUID()}\r\n\r\nx\r\n`));
    const { tookMs } = await send(raw);
    if (tookMs <= answerMsMax + timesPlainMax * plain.tookMs) return;
  }
  throw new Error(`The mail was answered after more than ${answerMsMax} ms, ${attemptsMax} times.`);
}

/** Reads a message, its original and one of its files. Throws if the original differs in any byte from what was sent. */
export async function readBack(client: Postrider, id: string, raw: Buffer): Promise<void> {
  const message = await eventually(id, () => findMessage(client, id));
  const { url, size_bytes } = await client.messages.raw(id);
  const kept = await download(url);
  if (size_bytes !== raw.length || !kept.equals(raw))
    throw new Error(`${id} is kept with ${kept.length} bytes that are not the ${raw.length} that were sent.`);
  for (const file of message.attachments.slice(0, 1)) {
    const { length } = await download(file.url);
    if (length !== file.size_bytes)
      throw new Error(`${file.id} has ${length} bytes, not ${file.size_bytes}.`);
  }
}

/** Returns a message, or null if it is not there yet. Mail that comes faster than it is filed can be read a moment after its 250. */
function findMessage(client: Postrider, id: string): Promise<Message | null> {
  return client.messages.get(id).catch((error: unknown) => {
    if (error instanceof NotFoundError) return null;
    throw error;
  });
}

async function download(url: string): Promise<Buffer> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`A link was answered with ${response.status}.`);
  return Buffer.from(await response.arrayBuffer());
}
