import * as z from 'zod';
import { about } from './scalars.ts';

/** One thing that is wrong with a request. */
export const Issue = z
  .object({
    path: z.string().meta(about('The field, with dots into it: `to.0`, `attachments.2.filename`.', 'to.0')),
    message: z.string().meta(about('What is wrong with it.', 'is required')),
  })
  .meta({ id: 'Issue', description: 'One field of a request that is missing or malformed.' });
export type Issue = z.infer<typeof Issue>;

/** What a schema says of one problem; the part of a zod issue that is read here. */
export interface SchemaIssue {
  message: string;
  path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
  code?: string;
  keys?: readonly string[];
}

const issuesMax = 100;
/** Names of unknown fields are the caller's own, as long as its body. */
const pathCharactersMax = 300;

/**
 * The `issues` of an `invalid_request` for what a schema found: one entry for each field, unknown fields by their names, the
 * first 100 of them, with at most 300 characters of a path.
 */
export function issuesOf(found: readonly SchemaIssue[]): Issue[] {
  const all = found.slice(0, issuesMax).flatMap((issue) => {
    const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
    if (issue.code === 'unrecognized_keys' && issue.keys !== undefined) {
      return issue.keys
        .slice(0, issuesMax)
        .map((key) => ({ path: shown([...path, key]), message: 'is not a known field' }));
    }
    return [{ path: shown(path), message: wordingOf(issue) }];
  });
  return all.slice(0, issuesMax);
}

function shown(path: string[]): string {
  const whole = path.map((part) => part.slice(0, pathCharactersMax)).join('.');
  return whole.length > pathCharactersMax ? `${whole.slice(0, pathCharactersMax - 1)}…` : whole;
}

function wordingOf({ code, message }: SchemaIssue): string {
  if (code === 'invalid_type' && message.endsWith('received undefined')) return 'is required';
  return message.replace(/^Invalid input: expected (\w+), received (\w+)$/, 'must be of type $1, not $2');
}
