import type { Rule } from '@postrider/contract';
import type { Selectable } from 'kysely';
import type { Tables } from '../db/database.ts';

/** Returns a rule as the API shows it. */
export function viewRule(row: Selectable<Tables['rules']>): Rule {
  return {
    id: row.id,
    kind: row.kind,
    direction: row.direction,
    pattern: row.pattern,
    created_at: row.created_at.toISOString(),
  };
}
