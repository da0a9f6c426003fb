import type { Suppression } from '@postrider/contract';
import type { Selectable } from 'kysely';
import type { Tables } from '../db/database.ts';

/** A suppression as a row. */
export type SuppressionRow = Selectable<Tables['suppressions']>;

/** Returns a suppression as the API shows it. */
export function viewSuppression(row: SuppressionRow): Suppression {
  return {
    address: row.address,
    reason: row.reason,
    message_id: row.message_id,
    created_at: row.created_at.toISOString(),
  };
}
