import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type FileMail, readMails } from './mail-corpus.ts';

/** What the fields of a report say, by the one who put the collection together. */
interface ExpectedReport {
  feedback_type: string | null;
  reports: { recipient: string; action: string; status: string | null }[];
}

/** A bounce or complaint that nobody here wrote. */
export interface BounceMail extends FileMail {
  /** Null where it has only prose. */
  expected: ExpectedReport | null;
}

/** Bounces that are part of the tests (their licence is beside them). */
export const bounceFixtures = fileURLToPath(new URL('../fixtures/bounces', import.meta.url));

/** A larger collection, beside the checkout unless told where; null where it is not. */
export const bounceCorpus = (): string | null => {
  const beside = fileURLToPath(new URL('../../../../shared/corpus/bounces', import.meta.url));
  const folder = process.env.POSTRIDER_TEST_BOUNCES ?? beside;
  return existsSync(folder) ? folder : null;
};

/** The bounces of a folder. */
export const readBounces = (folder: string): BounceMail[] => {
  const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Record<
    string,
    ExpectedReport
  >;
  return readMails(folder).map((mail) => ({ ...mail, expected: expected[mail.file] ?? null }));
};

/** What a failed or delayed delivery is, by its action and status; null for other actions. */
export const resultOf = ({ action, status }: ExpectedReport['reports'][number]): string | null => {
  if (action === 'delayed') return 'delayed';
  if (action !== 'failed') return null;
  return status?.startsWith('4') ? 'soft' : 'hard';
};
