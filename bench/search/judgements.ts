import { readFileSync } from 'node:fs';
import { type MadeMail, mailDomain } from './corpus/made-mail.ts';

/** The classes of queries. */
export const queryClasses = [
  'exact',
  'number',
  'part',
  'typo',
  'inflected',
  'phrase',
  'operator',
  'paraphrase',
  'cross-language',
  'cjk',
  'attachment',
] as const;
export type QueryClass = (typeof queryClasses)[number];

/** A query with the mails that its author looks for. */
export interface JudgedQuery {
  class: QueryClass;
  query: string;
  /** The query without operators, for programs that have none: values stay as words, and what is excluded is left out. */
  words: string;
  /** The grade of a mail by its id: 2 if it is asked for, 1 if it is related. */
  grades: Map<string, number>;
  /** Every third query of a class is left out of tuning. */
  heldOut: boolean;
}

/**
 * Reads the judged queries. A later mail of the same conversation that quotes an asked-for mail is related, unless the query has operators,
 * which say exactly what is wanted. For queries by meaning, each mail of the conversation is related.
 */
export function readJudgements(corpus: MadeMail[]): JudgedQuery[] {
  const text = readFileSync(new URL('./judgements.txt', import.meta.url), 'utf8');
  const counts = new Map<string, number>();
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [name = '', given = '', asked = '', related = ''] = line.split('|').map((cell) => cell.trim());
      const queryClass = queryClasses.find((each) => each === name);
      if (!queryClass) throw new Error(`"${line}" has no known class.`);
      const nth = (counts.get(name) ?? 0) + 1;
      counts.set(name, nth);
      const query = given.replaceAll('mail-domain', mailDomain);
      return {
        class: queryClass,
        query,
        words: plainWords(query),
        grades: readGrades(queryClass, readIds(asked), readIds(related), corpus),
        heldOut: nth % 3 === 0,
      };
    });
}

function readIds(cell: string): string[] {
  return cell.split(' ').filter((id) => id !== '');
}

function readGrades(
  queryClass: QueryClass,
  asked: string[],
  related: string[],
  corpus: MadeMail[],
): Map<string, number> {
  const grades = new Map<string, number>();
  if (queryClass !== 'operator')
    for (const id of asked)
      for (const mail of corpus)
        if (mail.conversation === id.split('/')[0] && isRelated(queryClass, id, mail)) grades.set(mail.id, 1);
  for (const id of related) grades.set(id, 1);
  for (const id of asked) grades.set(id, 2);
  return grades;
}

function isRelated(queryClass: QueryClass, asked: string, { id, conversation }: MadeMail): boolean {
  if (queryClass === 'paraphrase' || queryClass === 'cross-language') return true;
  const messagePlace = (each: string) => Number(each.slice(conversation.length + 1) || 1);
  return messagePlace(id) > messagePlace(asked);
}

function plainWords(query: string): string {
  return query
    .replaceAll(/(^|\s)-\S+/g, ' ')
    .replaceAll(/\b(?:has|is|in|before|after):\S+/g, ' ')
    .replaceAll(/\b(?:from|to|subject|label|filename):/g, ' ')
    .replaceAll('"', ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
