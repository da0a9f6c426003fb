import { invalidField } from '../../lib/api-error.ts';

const shape = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/i;

/**
 * Returns the moment that an `after:` or `before:` names. A date alone is its first moment in UTC. Throws `invalid_request` for anything
 * else.
 */
export function parseMoment(operator: 'after' | 'before', value: string): Date {
  const day = shape.exec(value)?.[1];
  const moment = new Date(value);
  const isReal = day !== undefined && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day);
  if (!isReal || Number.isNaN(moment.getTime())) {
    throw invalidField(
      'query',
      `\`${operator}:\` takes a date that exists, such as ${operator}:2026-03-01 or ${operator}:2026-03-01T09:00:00Z.`,
    );
  }
  return moment;
}
