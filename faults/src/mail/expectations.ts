import type { Trial } from '../trial.ts';
import type { Verdicts } from './read-headers.ts';

/** Records that something is as expected, and prints a line about it. */
export type Expect = (what: string, seen: unknown, expected: unknown) => void;

/** Adds the verdicts on a mail to the table of the report. */
export function recordVerdicts(
  trial: Pick<Trial, 'row'>,
  mail: string,
  { spf, dkim, dmarc }: Verdicts,
): void {
  trial.row({ mail, SPF: spf, DKIM: dkim, DMARC: dmarc });
}

/** Records expectations as invariants of a trial. */
export function expectIn(trial: Pick<Trial, 'invariant' | 'progress'>): Expect {
  return (what, seen, expected) => {
    const [found, wanted] = [JSON.stringify(seen), JSON.stringify(expected)];
    const isRight = found === wanted;
    trial.progress(isRight ? `ok    ${what}: ${found}` : `FAIL  ${what}: ${found} instead of ${wanted}`);
    trial.invariant(what, isRight ? 0 : 1, { exactly: 0 }, isRight ? [] : [`${found} instead of ${wanted}`]);
  };
}

/** Returns the names of the expectations of the verdicts on a mail. */
export function verdictsOn(mail: string): Verdicts {
  return { spf: `${mail}: SPF`, dkim: `${mail}: DKIM`, dmarc: `${mail}: DMARC` };
}

/** The mails that are judged, as they are called in expectations, and whose verdicts wrong records break. */
export const judged = { first: 'our mail', answer: 'their answer' };
