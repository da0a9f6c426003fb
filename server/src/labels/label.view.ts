import type { Label } from '@postrider/contract';
import type { LabelRow } from '../messages/insert-label.ts';

/** Returns a label as the API shows it. */
export function viewLabel(row: LabelRow): Label {
  return {
    id: row.id,
    name: row.name,
    color: row.color,
    created_at: row.created_at.toISOString(),
  };
}
