import type { Label } from '@postrider/contract';
import type { LabelRow } from '../messages/insert-label.ts';

/** A label as the API shows it. */
export const viewLabel = (row: LabelRow): Label => ({
  id: row.id,
  name: row.name,
  color: row.color,
  created_at: row.created_at.toISOString(),
});
