import { expect, it } from 'vitest';
import { findSender, fullBody, type MadeMail } from './corpus/made-mail.ts';
import { makeCorpus } from './corpus/make-corpus.ts';
import { queryClasses, readJudgements } from './judgements.ts';

const corpus = makeCorpus();
const judged = readJudgements(corpus);
const byId = new Map(corpus.map((mail) => [mail.id, mail]));

it('makes at least 3,000 mails in five languages and more, the same each time', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(3_000);
  expect(byId.size).toBe(corpus.length);
  expect(makeCorpus()).toEqual(corpus);
  const counts = Map.groupBy(corpus, ({ language }) => language);
  expect([...counts.keys()].toSorted()).toEqual(['de', 'en', 'es', 'fr', 'ja', 'ko', 'zh']);
  expect(counts.get('en')!.length).toBeGreaterThan(corpus.length / 2);
  for (const language of ['de', 'fr', 'es', 'ja'] as const)
    expect(counts.get(language)!.length, language).toBeGreaterThan(150);
});

it('fills every place of a template', () => {
  const unfilled = corpus.filter((mail) =>
    /[{}]|undefined/.test(`${wholeText(mail)} ${findSender(mail).address}`),
  );
  expect(unfilled.filter(({ topic }) => topic !== 'story')).toEqual([]);
});

it('judges at least 18 queries of each class, each with a mail that is asked for', () => {
  for (const each of queryClasses)
    expect(judged.filter((query) => query.class === each).length, each).toBeGreaterThanOrEqual(18);
  for (const { query, grades } of judged) {
    expect([...grades.values()], query).toContain(2);
    for (const id of grades.keys()) expect(byId.has(id), `${query}: ${id}`).toBe(true);
  }
  expect(new Set(judged.map(({ query }) => query)).size).toBe(judged.length);
});

it('asks for numbers, parts and words of files that only the judged mails have', () => {
  const isChecked = (name: string) => ['number', 'part', 'attachment'].includes(name);
  for (const { query, grades } of judged.filter((each) => isChecked(each.class))) {
    const found = corpus.filter((mail) => wholeText(mail).toLowerCase().includes(query.toLowerCase()));
    expect(
      found.map(({ id }) => id).filter((id) => !grades.has(id)),
      query,
    ).toEqual([]);
  }
});

function wholeText(mail: MadeMail): string {
  const files = mail.files.map(({ name, text }) => `${name} ${text}`);
  const { name, address } = findSender(mail);
  return [name, address, mail.subject, fullBody(mail), ...files].join('\n');
}
