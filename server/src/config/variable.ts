import type * as z from 'zod';

/** One setting: how it is read, what it is when absent, and the sentence that `.env.example` gives it. */
export interface Variable<T> {
  schema: z.ZodType<T, string | undefined>;
  about: string;
  /** What `.env.example` shows as its default; nothing when there is none. */
  example?: string;
  /** Never printed, and may also come from the file that `<NAME>_FILE` names. */
  secret?: true;
}

/** Returns a setting. */
export function variable<T>(
  schema: z.ZodType<T, string | undefined>,
  about: string,
  more: Omit<Variable<T>, 'schema' | 'about'> = {},
): Variable<T> {
  return { schema, about, ...more };
}
