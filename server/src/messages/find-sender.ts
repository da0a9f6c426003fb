import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { prepared } from '../db/prepared.ts';
import type { InboxRow } from '../inboxes/find-inbox.ts';
import { isId } from '../lib/ids.ts';

/** The inbox that a message goes out from. */
export type SendingInbox = Pick<InboxRow, 'id' | 'address' | 'display_name'>;

/** Who wants to send to whom. */
export interface SendRequest {
  inboxId: string;
  clientId: string | null;
  /** All that the message may go to. */
  addresses: string[];
}

/** What stands in the way of a request to send, or lets it through. */
export interface Sender {
  /** Null where there is no such inbox of the caller's. */
  inbox: SendingInbox | null;
  /** The message that the `client_id` stands for by now. */
  sentBefore: string | null;
  /** Those of the addresses that the workspace no longer sends to. */
  suppressed: Set<string>;
}

/** All that is looked up before a message is composed, in one round trip. */
export const findSender = async (ctx: Context, request: SendRequest): Promise<Sender> => {
  const [row] = await selectSender(ctx, {
    workspaceId: ctx.workspaceId,
    inboxId: isId('inb', request.inboxId) ? request.inboxId : null,
    clientId: request.clientId,
    addresses: request.addresses,
    at: ctx.clock.now(),
  });
  return {
    inbox: row?.inbox ?? null,
    sentBefore: row?.sent_before ?? null,
    suppressed: new Set(row?.suppressed),
  };
};

interface Values {
  workspaceId: string;
  inboxId: string | null;
  clientId: string | null;
  addresses: string[];
  at: Date;
}

const selectSender = prepared((db, { workspaceId, inboxId, clientId, addresses, at }: Values) =>
  sql<{ inbox: SendingInbox | null; sent_before: string | null; suppressed: string[] }>`select
    (select jsonb_build_object('id', id, 'address', address, 'display_name', display_name) from inboxes
      where workspace_id = ${workspaceId} and id = ${inboxId} and deleted_at is null) as inbox,
    (select message_id from client_ids
      where workspace_id = ${workspaceId} and client_id = ${clientId} and expires_at > ${at}) as sent_before,
    array(select address from suppressions
      where workspace_id = ${workspaceId} and address = any(${addresses}::text[])) as suppressed`.compile(db),
);
