import { limits } from '@postrider/contract';
import type { Database } from '../../db/database.ts';
import type { TurnQueue } from '../../lib/concurrency/turn-queue.ts';
import type { ReadMail } from './store-spooled.ts';

/** The most that one transaction stores. The process does nothing else while the embedded database stores it. */
export const batchLimits = {
  mailsMax: 64,
  bytesMax: { postgres: 8_388_608, embedded: 262_144 },
  /** Each is a row. */
  filesMax: 256,
};

/** A mail that was read and is waiting to be stored. */
export interface StorableMail extends ReadMail {
  readAt: number;
}

/** How many files of a mail are kept. */
export const filesOf = ({ mail }: ReadMail): number =>
  Math.min(mail.parsed.attachments.length, limits.inboundAttachmentsMax);

/** Removes and returns the mails of the next transaction, from each inbox in turn: at least one if any is waiting. */
export const nextBatch = (read: TurnQueue<StorableMail>, kind: Database['kind']): StorableMail[] => {
  const { mailsMax, filesMax, bytesMax } = batchLimits;
  const batch: StorableMail[] = [];
  let bytes = 0;
  let files = 0;
  for (let next = read.peek(); next && batch.length < mailsMax; next = read.peek()) {
    const { envelope } = next;
    const copies = envelope.targets.length;
    bytes += envelope.size_bytes * copies;
    files += filesOf(next) * copies;
    if (batch.length > 0 && (bytes > bytesMax[kind] || files > filesMax)) break;
    batch.push(next);
    read.shift();
  }
  return batch;
};
