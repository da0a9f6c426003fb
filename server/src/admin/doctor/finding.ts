import { sayError } from '../../lib/start/start-error.ts';

/** What an examination found of one part of an installation. A note is worth knowing and hinders nothing. */
export interface Finding {
  part: string;
  state: 'ok' | 'note' | 'problem';
  text: string;
  /** What to do about a problem. */
  remedy?: string;
}

/** A part that is as it should be. */
export const ok = (part: string, text: string): Finding => ({ part, state: 'ok', text });

/** Something that its operator may want to know. */
export const note = (part: string, text: string): Finding => ({ part, state: 'note', text });

/** Something that does not work, or will not for long. */
export const problem = (part: string, text: string, remedy?: string): Finding => ({
  part,
  state: 'problem',
  text,
  ...(remedy !== undefined && { remedy }),
});

/** What a look finds; one that fails has found a problem. */
export const examine = async (
  part: string,
  look: () => Promise<Finding[]>,
  remedy?: string,
): Promise<Finding[]> => {
  try {
    return await look();
  } catch (error) {
    return [problem(part, sayError(error), remedy)];
  }
};
