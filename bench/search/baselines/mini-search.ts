import MiniSearch from 'minisearch';
import { findSender, fullBody, type MadeMail } from '../corpus/made-mail.ts';
import { type Ranker, rankedMax } from './ranker.ts';

/** Searches with MiniSearch: all texts of a mail as fields, a boost for the subject, prefixes and typos as its README recommends. */
export function startMiniSearch(corpus: MadeMail[]): Ranker {
  const index = new MiniSearch({
    fields: ['subject', 'from', 'body', 'files'],
    searchOptions: { boost: { subject: 2, from: 1.5 }, prefix: true, fuzzy: 0.2 },
  });
  index.addAll(
    corpus.map((mail) => {
      const { name, address } = findSender(mail);
      const files = mail.files.map((file) => `${file.name}\n${file.text}`).join('\n');
      return { id: mail.id, subject: mail.subject, from: `${name} ${address}`, body: fullBody(mail), files };
    }),
  );
  return {
    name: 'minisearch',
    rank: async ({ words }) =>
      index
        .search(words)
        .slice(0, rankedMax)
        .map(({ id }) => String(id)),
  };
}
