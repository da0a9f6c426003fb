import type * as z from 'zod';
import { asIssues } from '../src/index.ts';

/** The fields that a schema finds something wrong with, as the `issues` of an answer name them. */
export function issuePaths(schema: z.ZodType, value: unknown): string[] {
  const result = schema.safeParse(value);
  return result.success ? [] : asIssues(result.error.issues).map(({ path }) => path);
}
