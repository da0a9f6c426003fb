import { limits } from '@postrider/contract';
import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { acrossWorkspaces, scoped } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import type { FairQueue } from '../../lib/admission/fair-queue.ts';
import { rawKey } from '../../messages/originals.ts';
import { bodyBytes, type MessageRecord, type StoreOutcome } from '../../messages/store/message-record.ts';
import {
  originalRowBytesMax,
  readOutcome,
  type StoredAnswer,
  type StoreValues,
  storeCall,
  storeSql,
  storeValues,
} from '../../messages/store/store-message.ts';
import { type InboundMail, inboundRecord } from '../../parsing/inbound-mail.ts';
import type { Receipt } from '../arrival.ts';
import { batchLimits } from '../limits.ts';
import { noteMail } from '../mail-shares.ts';
import { storeInbound } from '../store-mail.ts';
import { removeFromSpool, type SpooledEnvelope } from './spool-mail.ts';

/** A spooled mail that was read. */
export interface ReadMail {
  envelope: SpooledEnvelope;
  mail: InboundMail;
}

/** A mail that was read and is waiting to be stored. */
export interface StorableMail extends ReadMail {
  readAt: number;
}

/** Returns the number of files of a mail that are kept. */
export function countFiles({ mail }: ReadMail): number {
  return Math.min(mail.parsed.attachments.length, limits.inboundAttachmentsMax);
}

/** Removes and returns the mails of the next transaction, from each inbox in turn: at least one if any is waiting. */
export function nextBatch(read: FairQueue<StorableMail>): StorableMail[] {
  const { mailsMax, filesMax, bytesMax } = batchLimits;
  const batch: StorableMail[] = [];
  let bytes = 0;
  let files = 0;
  for (let next = read.peek(); next && batch.length < mailsMax; next = read.peek()) {
    const { envelope } = next;
    const copies = envelope.targets.length;
    bytes += envelope.size_bytes * copies;
    files += countFiles(next) * copies;
    if (batch.length > 0 && (bytes > bytesMax || files > filesMax)) break;
    batch.push(next);
    read.shift();
  }
  return batch;
}

/** The record of a message that a spooled mail becomes. */
interface SpooledRecord {
  envelope: SpooledEnvelope;
  record: MessageRecord;
}

/**
 * Turns spooled mails into messages and removes them from the spool, in one transaction and one round trip. A message that was already
 * created, by a process that crashed or by another one at the same moment, is recognised by its id and stays one message.
 *
 * @returns the receipts of each mail, by its id.
 */
export async function storeSpooled(deps: Deps, mails: ReadMail[]): Promise<Map<string, Receipt[]>> {
  const records = mails.flatMap(({ envelope, mail }) => buildRecords(deps, envelope, mail));
  const db = acrossWorkspaces(deps, 'emails of several workspaces are stored together');
  const rows = await storeAll(
    { db },
    {
      ...storeValues(records.map(({ record }) => storeCall(record, null))),
      workspaces: records.map(({ record }) => record.message.workspace_id),
      messages: records.map(({ record }) => record.message.id),
      mails: mails.map(({ envelope }) => envelope.id),
    },
  );
  const outcomes = rows.map(({ answer }) => readOutcome(answer));
  return finish(deps, records, outcomes);
}

interface Values extends StoreValues {
  workspaces: string[];
  messages: string[];
  mails: string[];
}

const storeAll = prepared((db, values: Values) =>
  sql<{ answer: StoredAnswer }>`
    with stored as materialized (
      select n, answer from ${storeSql('store_messages', values)} with ordinality stored(answer, n)),
    unwanted as (
      delete from originals o using stored s
        join unnest(${values.workspaces}::text[], ${values.messages}::text[]) with ordinality m(workspace_id, id, n) using (n)
        where o.workspace_id = m.workspace_id and o.message_id = m.id and s.answer->>'message_id' is distinct from m.id),
    done as (delete from spooled_mail where id = any(${values.mails}::text[]))
    select answer from stored order by n`.compile(db),
);

/** Does the same for one mail, with a transaction for each message, so that texts that the database refuses are left out of one. */
export async function storeSpooledAlone(deps: Deps, { envelope, mail }: ReadMail): Promise<Receipt[]> {
  const records = buildRecords(deps, envelope, mail);
  const outcomes: StoreOutcome[] = [];
  for (const { record } of records) {
    const ctx = { ...deps, workspaceId: record.message.workspace_id };
    outcomes.push(await storeInbound(ctx, record, null));
  }
  for (const [index, { record }] of records.entries()) {
    if (!isUnwanted(record, outcomes[index])) continue;
    const { workspace_id: workspaceId, id } = record.message;
    await scoped({ db: deps.db, workspaceId }).deleteFrom('originals').where('message_id', '=', id).execute();
  }
  await removeFromSpool(deps, envelope.id);
  return (await finish(deps, records, outcomes)).get(envelope.id) ?? [];
}

function buildRecords(deps: Deps, envelope: SpooledEnvelope, mail: InboundMail): SpooledRecord[] {
  return envelope.targets.map(({ workspace_id, inbox_id, message_id, given, traceparent }) => {
    const inbox = { workspaceId: workspace_id, inboxId: inbox_id };
    const target = { inbox, given, messageId: message_id, traceparent };
    return { envelope, record: inboundRecord(deps, mail, target) };
  });
}

/** Returns whether the bytes of a mail are not needed, because it was a repetition or its inbox was deleted. */
function isUnwanted({ message }: MessageRecord, outcome: StoreOutcome | undefined): boolean {
  return outcome === undefined || outcome.outcome === 'inbox_gone' || outcome.messageId !== message.id;
}

async function finish(
  deps: Deps,
  records: SpooledRecord[],
  outcomes: StoreOutcome[],
): Promise<Map<string, Receipt[]>> {
  const receipts = new Map<string, Receipt[]>();
  for (const [index, { envelope, record }] of records.entries()) {
    const outcome = outcomes[index] ?? { outcome: 'inbox_gone' };
    const { message } = record;
    const inbox = { workspaceId: message.workspace_id, inboxId: message.inbox_id };
    if (outcome.outcome === 'stored') noteStored(deps, envelope, record);
    const messageId = outcome.outcome === 'inbox_gone' ? null : outcome.messageId;
    const before = receipts.get(envelope.id) ?? [];
    receipts.set(envelope.id, [...before, { inbox, messageId, outcome: outcome.outcome }]);
  }
  const unwanted = records.filter(({ record }, index) => isUnwanted(record, outcomes[index]));
  await removeFiles(
    deps,
    unwanted.map(({ record }) => record.message),
  );
  return receipts;
}

/** Counts the body for its sender. The original was counted when the mail was spooled. */
function noteStored(deps: Deps, envelope: SpooledEnvelope, { message, unparsed }: MessageRecord): void {
  const sender = { envelopeFrom: envelope.envelope_from, remoteAddress: envelope.remote_address };
  noteMail(deps, message.inbox_id, sender, bodyBytes(message));
  deps.wakeups.wake(message.workspace_id);
  if (unparsed) deps.wakeups.wake(message.workspace_id, 'unparsed');
}

/** The outcomes are committed by now. A file that cannot be removed now is listed nowhere and goes with its inbox. */
async function removeFiles(deps: Deps, messages: MessageRecord['message'][]): Promise<void> {
  const keys = messages.filter((message) => message.size_bytes > originalRowBytesMax).map(rawKey);
  if (keys.length === 0) return;
  await deps.files
    .delete(keys)
    .catch((error: unknown) =>
      deps.log.warn({ err: error, keys }, 'files of an email that was not stored could not be deleted'),
    );
}
