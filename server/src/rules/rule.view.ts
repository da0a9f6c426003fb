import type { Rule } from '@postrider/contract';
import type { Selectable } from 'kysely';
import type { Tables } from '../db/database.ts';

/** A rule as the API shows it. */
export const viewRule = (row: Selectable<Tables['rules']>): Rule => ({
  id: row.id,
  kind: row.kind,
  direction: row.direction,
  pattern: row.pattern,
  created_at: row.created_at.toISOString(),
});
