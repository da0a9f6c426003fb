import { sayError } from '../../lib/start/start-error.ts';

/** The result of examining one part of an installation. A note is worth knowing but prevents nothing. */
export interface Finding {
  part: string;
  state: 'ok' | 'note' | 'problem';
  text: string;
  /** What to do about a problem. */
  remedy?: string;
}

/** Returns a finding for a part that is in order. */
export function ok(part: string, text: string): Finding {
  return { part, state: 'ok', text };
}

/** Returns a finding that the operator may want to know. */
export function note(part: string, text: string): Finding {
  return { part, state: 'note', text };
}

/** Returns a finding for something that does not work, or will not for long. */
export function problem(part: string, text: string, remedy?: string): Finding {
  return {
    part,
    state: 'problem',
    text,
    ...(remedy !== undefined && { remedy }),
  };
}

/** Returns the findings of `look`. If it fails, that is a problem. */
export async function examine(
  part: string,
  look: () => Promise<Finding[]>,
  remedy?: string,
): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [problem(part, sayError(error), remedy)];
  }
}
