import { withinTime } from '../../lib/concurrency/wait.ts';
import { sayError } from '../../lib/start/start-error.ts';

/** The result of examining one part of an installation. A note is worth knowing but prevents nothing. */
export interface Finding {
  part: string;
  state: 'ok' | 'note' | 'problem';
  text: string;
  /** The fix of a problem, or the way to get rid of a note. */
  remedy?: string;
}

/** Returns a finding for a part that is in order. */
export function ok(part: string, text: string): Finding {
  return { part, state: 'ok', text };
}

/** Returns a finding that may interest the operator. */
export function note(part: string, text: string, remedy?: string): Finding {
  return { part, state: 'note', text, ...(remedy !== undefined && { remedy }) };
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

/** Longer than any single check takes, and short enough for a person who is waiting. */
const lookMsMax = 15_000;

/** Returns the findings of `look`. If it fails, or takes longer than `timeMs`, that is a problem. */
export async function examine(
  part: string,
  look: () => Promise<Finding[]>,
  remedy?: string,
  timeMs = lookMsMax,
): Promise<Finding[]> {
  const late = [problem(part, `There was no result within ${timeMs / 1_000} s.`, remedy)];
  try {
    return await withinTime(look(), timeMs, late);
  } catch (error) {
    return [problem(part, sayError(error), remedy)];
  }
}
