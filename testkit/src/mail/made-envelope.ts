import type { SpooledEnvelope } from '../../../server/src/inbound/spool/spool-mail.ts';
import type { InboxAddress } from '../../../server/src/inboxes/find-inbox.ts';
import { newId } from '../../../server/src/lib/ids.ts';

/** Returns the envelope of a mail for one inbox, in the form that the spool takes. Its message will have the same id. */
export function makeEnvelope(
  { workspaceId, inboxId, address }: InboxAddress,
  raw: Buffer,
  envelopeFrom: string,
): SpooledEnvelope {
  const id = newId('msg');
  return {
    id,
    at: new Date(),
    session_id: 'session',
    remote_address: '127.0.0.1',
    helo: null,
    envelope_from: envelopeFrom,
    size_bytes: raw.length,
    targets: [{ workspace_id: workspaceId, inbox_id: inboxId, message_id: id, given: [address] }],
  };
}
