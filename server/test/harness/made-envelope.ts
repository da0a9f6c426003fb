import type { SpooledEnvelope } from '../../src/inbound/spool/spool-mail.ts';
import type { InboxAddress } from '../../src/inboxes/find-inbox.ts';
import { newId } from '../../src/lib/ids.ts';

/** The envelope of a mail for one inbox, as the spool takes it: its message will have the same id. */
export const makeEnvelope = (
  { workspaceId, inboxId, address }: InboxAddress,
  raw: Buffer,
  envelopeFrom: string,
): SpooledEnvelope => {
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
};
