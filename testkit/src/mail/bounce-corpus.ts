import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FileMail, readMails } from './mail-corpus.ts';

/** The fields of a report, according to the person who made the collection. */
interface ExpectedReport {
  feedback_type: string | null;
  reports: { recipient: string; action: string; status: string | null }[];
}

/** A bounce or complaint from elsewhere, which was not written for these tests. */
export interface BounceMail extends FileMail {
  /** Null if it has only prose. */
  expected: ExpectedReport | null;
}

/** The bounces that are part of the tests. Their licence is next to them. */
export const bounceFixtures = fileURLToPath(
  new URL('../../../server/test/fixtures/bounces', import.meta.url),
);

/** Returns the folder of a larger collection, by default next to the checkout; null if there is none. */
export function bounceCorpus(): string | null {
  const beside = fileURLToPath(new URL('../../../../shared/corpus/bounces', import.meta.url));
  const folder = process.env.POSTRIDER_TEST_BOUNCES ?? beside;
  return existsSync(folder) ? folder : null;
}

/** Returns the bounces of a folder. */
export function readBounces(folder: string): BounceMail[] {
  const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Record<
    string,
    ExpectedReport
  >;
  return readMails(folder).map((mail) => ({ ...mail, expected: expected[mail.file] ?? null }));
}

/** Returns the result of a failed or delayed delivery, by its action and status; null for other actions. */
export function expectedResult({ action, status }: ExpectedReport['reports'][number]): string | null {
  if (action === 'delayed') return 'delayed';
  if (action !== 'failed') return null;
  return status?.startsWith('4') ? 'soft' : 'hard';
}
