import type { Issue } from './errors.ts';

/** What a schema says of one problem; the part of a zod issue that is read here. */
export interface SchemaIssue {
  message: string;
  path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
  code?: string;
  keys?: readonly string[];
}

const issuesMax = 100;

/**
 * The `issues` of an `invalid_request` for what a schema found: one entry for each field, unknown fields by their names, the
 * first 100 of them.
 */
export function issuesOf(found: readonly SchemaIssue[]): Issue[] {
  const all = found.slice(0, issuesMax).flatMap((issue) => {
    const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
    if (issue.code === 'unrecognized_keys' && issue.keys !== undefined) {
      return issue.keys
        .slice(0, issuesMax)
        .map((key) => ({ path: [...path, key].join('.'), message: 'is not a known field' }));
    }
    return [{ path: path.join('.'), message: wordingOf(issue) }];
  });
  return all.slice(0, issuesMax);
}

function wordingOf({ code, message }: SchemaIssue): string {
  if (code === 'invalid_type' && message.endsWith('received undefined')) return 'is required';
  return message.replace(/^Invalid input: expected (\w+), received (\w+)$/, 'must be of type $1, not $2');
}
