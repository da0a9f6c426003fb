import * as z from 'zod';
import { about } from '../fields/scalars.ts';

/** One problem with a request. */
export const Issue = z
  .object({
    path: z
      .string()
      .meta(about('The path of the field, with dots: `to.0`, `attachments.2.filename`.', 'to.0')),
    message: z.string().meta(about('The problem with the field.', 'is required')),
  })
  .meta({ id: 'Issue', description: 'One field of a request that is missing or malformed.' });
export type Issue = z.infer<typeof Issue>;

/** One problem that a schema found: the part of a zod issue that is read here. */
export interface SchemaIssue {
  message: string;
  path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
  code?: string;
  keys?: readonly string[];
  expected?: string;
  origin?: string;
  values?: readonly unknown[];
  minimum?: number | bigint;
  maximum?: number | bigint;
}

const issuesMax = 100;
/** The names of unknown fields come from the caller, and may be as long as its body. */
const pathCharactersMax = 300;

/**
 * Returns the `issues` of an `invalid_request` for the problems that a schema found: one entry for each field, including unknown fields by
 * their names. Only the first 100 are returned, and a path has at most 300 characters.
 */
export function asIssues(found: readonly SchemaIssue[]): Issue[] {
  const all = found.slice(0, issuesMax).flatMap((issue) => {
    const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
    if (issue.code === 'unrecognized_keys' && issue.keys !== undefined) {
      return issue.keys
        .slice(0, issuesMax)
        .map((key) => ({ path: shown([...path, key]), message: 'is not a known field' }));
    }
    return [{ path: shown(path), message: wordIssue(issue) }];
  });
  return all.slice(0, issuesMax);
}

function shown(path: string[]): string {
  const whole = path.map((part) => part.slice(0, pathCharactersMax)).join('.');
  return whole.length > pathCharactersMax ? `${whole.slice(0, pathCharactersMax - 1)}…` : whole;
}

/** Messages of zod itself, which are replaced. The messages of this contract complete the name of the field, and so do the replacements. */
const unworded = /^(Invalid|Too (big|small)|Unrecognized)/;

function wordIssue(issue: SchemaIssue): string {
  if (!unworded.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return typeWording(issue);
    case 'invalid_value':
      return `must be ${issue.values?.length === 1 ? '' : 'one of '}${issue.values?.join(', ')}`;
    case 'too_small':
      return `must ${amount(issue.origin, `at least ${issue.minimum}`, Number(issue.minimum))}`;
    case 'too_big':
      return `must ${amount(issue.origin, `at most ${issue.maximum}`, Number(issue.maximum))}`;
    default:
      return 'has the wrong form';
  }
}

function typeWording({ message, expected }: SchemaIssue): string {
  const [, received = ''] = /received (.+)$/.exec(message) ?? [];
  if (received === 'undefined') return 'is required';
  if (expected === 'int') return 'must be a whole number';
  if (expected === received || received === 'NaN') return `must be a ${expected}`;
  return `must be of type ${expected}, not ${received}`;
}

function amount(origin: string | undefined, most: string, count: number): string {
  const unit = { string: 'character', array: 'entry', set: 'entry', record: 'entry' }[origin ?? ''];
  if (unit === undefined) return `be ${most}`;
  const plural = unit === 'entry' ? 'entries' : 'characters';
  return `have ${most} ${count === 1 ? unit : plural}`;
}
