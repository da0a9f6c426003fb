import { sql } from 'kysely';
import { prepared } from '../../db/prepared.ts';
import { acrossWorkspaces, scoped } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { originalRowBytesMax, rawKey } from '../../messages/originals.ts';
import { bodyBytes, type MessageRecord, type StoreOutcome } from '../../messages/store/message-record.ts';
import {
  outcomeOf,
  type StoredAnswer,
  type StoreValues,
  storeCall,
  storeMessagesSql,
  storeValues,
} from '../../messages/store/store-call.ts';
import { type InboundMail, inboundRecord } from '../inbound-record.ts';
import { noteMail } from '../mail-shares.ts';
import type { Receipt } from '../receive-mail.ts';
import { storeInbound } from '../store-inbound.ts';
import { removeFromSpool, type SpooledEnvelope } from './spool-mail.ts';

/** A spooled mail that was read. */
export interface ReadMail {
  envelope: SpooledEnvelope;
  mail: InboundMail;
}

/** A message to be made of a mail. */
interface Draft {
  envelope: SpooledEnvelope;
  record: MessageRecord;
}

/**
 * Makes messages of spooled mails and removes these from the spool, in one transaction and one round trip. A message that was made
 * before, by a process that crashed or by another one at the same moment, is recognised by its id and stays one message.
 *
 * @returns the receipts of each mail, by its id.
 */
export const storeSpooled = async (deps: Deps, mails: ReadMail[]): Promise<Map<string, Receipt[]>> => {
  const drafts = mails.flatMap(({ envelope, mail }) => draftsOf(deps, envelope, mail));
  const db = acrossWorkspaces(deps, 'mails of several workspaces are stored together');
  const rows = await storeAll(
    { db },
    {
      ...storeValues(drafts.map(({ record }) => storeCall(record, null))),
      workspaces: drafts.map(({ record }) => record.message.workspace_id),
      messages: drafts.map(({ record }) => record.message.id),
      mails: mails.map(({ envelope }) => envelope.id),
    },
  );
  const outcomes = rows.map(({ answer }) => outcomeOf(answer));
  return finish(deps, drafts, outcomes);
};

interface Values extends StoreValues {
  workspaces: string[];
  messages: string[];
  mails: string[];
}

const storeAll = prepared((db, values: Values) =>
  sql<{ answer: StoredAnswer }>`
    with stored as materialized (
      select n, answer from ${storeMessagesSql(values)} with ordinality stored(answer, n)),
    unwanted as (
      delete from originals o using stored s
        join unnest(${values.workspaces}::text[], ${values.messages}::text[]) with ordinality m(workspace_id, id, n) using (n)
        where o.workspace_id = m.workspace_id and o.message_id = m.id and s.answer->>'message_id' is distinct from m.id),
    done as (delete from spooled_mail where id = any(${values.mails}::text[]))
    select answer from stored order by n`.compile(db),
);

/** Does the same for one mail, with a transaction for each message, so that texts that the database refuses are left out of one. */
export const storeSpooledAlone = async (deps: Deps, { envelope, mail }: ReadMail): Promise<Receipt[]> => {
  const drafts = draftsOf(deps, envelope, mail);
  const outcomes: StoreOutcome[] = [];
  for (const { record } of drafts) {
    const ctx = { ...deps, workspaceId: record.message.workspace_id };
    outcomes.push(await storeInbound(ctx, record, null));
  }
  for (const [index, { record }] of drafts.entries()) {
    if (!isUnwanted(record, outcomes[index])) continue;
    const { workspace_id: workspaceId, id } = record.message;
    await scoped({ db: deps.db, workspaceId }).deleteFrom('originals').where('message_id', '=', id).execute();
  }
  await removeFromSpool(deps, envelope.id);
  return (await finish(deps, drafts, outcomes)).get(envelope.id) ?? [];
};

const draftsOf = (deps: Deps, envelope: SpooledEnvelope, mail: InboundMail): Draft[] =>
  envelope.targets.map(({ workspace_id, inbox_id, message_id, given }) => {
    const inbox = { workspaceId: workspace_id, inboxId: inbox_id };
    return { envelope, record: inboundRecord(deps, mail, { inbox, given, messageId: message_id }) };
  });

/** Removes the bytes of a mail that was a repetition, or whose inbox is gone. */
const isUnwanted = ({ message }: MessageRecord, outcome: StoreOutcome | undefined): boolean =>
  outcome === undefined || outcome.outcome === 'inbox_gone' || outcome.messageId !== message.id;

const finish = async (
  deps: Deps,
  drafts: Draft[],
  outcomes: StoreOutcome[],
): Promise<Map<string, Receipt[]>> => {
  const receipts = new Map<string, Receipt[]>();
  for (const [index, { envelope, record }] of drafts.entries()) {
    const outcome = outcomes[index] ?? { outcome: 'inbox_gone' };
    const { message } = record;
    const inbox = { workspaceId: message.workspace_id, inboxId: message.inbox_id };
    if (outcome.outcome === 'stored') noteStored(deps, envelope, message);
    const messageId = outcome.outcome === 'inbox_gone' ? null : outcome.messageId;
    const before = receipts.get(envelope.id) ?? [];
    receipts.set(envelope.id, [...before, { inbox, messageId, outcome: outcome.outcome }]);
  }
  const unwanted = drafts.filter(({ record }, index) => isUnwanted(record, outcomes[index]));
  await removeFiles(
    deps,
    unwanted.map(({ record }) => record.message),
  );
  return receipts;
};

/** Counts the body for its sender. The original was counted when the mail was spooled. */
const noteStored = (deps: Deps, envelope: SpooledEnvelope, message: MessageRecord['message']): void => {
  const sender = { envelopeFrom: envelope.envelope_from, remoteAddress: envelope.remote_address };
  noteMail(deps, message.inbox_id, sender, bodyBytes(message));
  deps.wakeups.wake(message.workspace_id);
};

/** The outcomes are committed by now. A file that cannot be removed now is listed nowhere and goes with its inbox. */
const removeFiles = async (deps: Deps, messages: MessageRecord['message'][]): Promise<void> => {
  const keys = messages.filter((message) => message.size_bytes > originalRowBytesMax).map(rawKey);
  if (keys.length === 0) return;
  await deps.files
    .delete(keys)
    .catch((error: unknown) => deps.log.warn({ err: error, keys }, 'files of mail that was not kept stay'));
};
