import type { Inbox } from '@postrider/contract';
import type { Selectable } from 'kysely';
import type { Tables } from '../db/tables.ts';

/** Returns an inbox as the API shows it. */
export function viewInbox(row: Selectable<Tables['inboxes']>): Inbox {
  return {
    id: row.id,
    local_part: row.local_part,
    display_name: row.display_name,
    domain_id: row.domain_id,
    address: row.address,
    metadata: row.metadata,
    created_at: row.created_at.toISOString(),
  };
}
