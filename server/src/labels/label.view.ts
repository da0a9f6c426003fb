import type { Label } from '@postrider/contract';
import type { Selectable } from 'kysely';
import type { Tables } from '../db/database.ts';

/** A label as a row. */
export type LabelRow = Selectable<Tables['labels']>;

/** A label as the API shows it. */
export const viewLabel = (row: LabelRow): Label => ({
  id: row.id,
  name: row.name,
  color: row.color,
  created_at: row.created_at.toISOString(),
});
