import * as z from 'zod';
import { about, exampleIds, idField, timestamp } from './fields/scalars.ts';
import { plainText } from './fields/texts.ts';
import { limits } from './limits.ts';
import { Message } from './message.ts';

/** The mode of a search. */
export const SearchMode = z
  .enum(['keyword', 'semantic', 'hybrid'])
  .meta({ id: 'SearchMode', ...about('How a search compares: by words, by meaning, or both.', 'hybrid') });
export type SearchMode = z.infer<typeof SearchMode>;

/** Query fields of a list that can be searched. */
export const searchQuery = {
  query: plainText(1, limits.searchQueryCharactersMax)
    .optional()
    .meta(
      about(
        'Search. All words must match, in any form (`invoices` finds `invoice`), and the last one may be incomplete. Quotation marks ' +
          'hold a phrase together, and `-word` excludes a word. The operators are `from:`, `to:`, `subject:`, `label:`, `in:` (an inbox), ' +
          '`filename:`, `has:attachment`, `is:inbound`, `is:outbound`, `before:` and `after:`. Anything else is words.',
        'from:example.com "order 17" -refund',
      ),
    ),
  mode: SearchMode.optional().meta({
    description: 'How `query` compares; `keyword` when left out.',
    default: 'keyword',
  }),
};

/** Fields of a page that say how a search ran. */
export const searchOutcome = {
  mode_used: z
    .enum(['recent', ...SearchMode.options])
    .meta(about('`recent` without a query, else the search mode that ran.', 'hybrid')),
  fallback_reason: z
    .enum(['plan', 'unavailable'])
    .optional()
    .meta(
      about(
        'Why another mode ran than the requested one; absent if the requested one ran. `unavailable`: semantic search is off on this ' +
          'server, is out of order, or was first requested by this workspace a moment ago.',
        'plan',
      ),
    ),
  ranked_within: timestamp(
    'Only there when a search compared the newest messages alone, from this time on. In keyword search, older ones follow on the ' +
      'next pages, ranked among themselves. In semantic search, they are not compared. After an update of the server, and after the ' +
      'first semantic search of a workspace, older ones may also not be in the search index yet.',
  ).optional(),
};

/** A message in a list. Search results have a score, and a snippet around the words that were found. */
export const ListedMessage = z
  .object({
    ...Message.shape,
    score: z
      .number()
      .optional()
      .meta(
        about(
          'Search results: how well it matches, from 0 to 1; comparable with the others of the same search.',
          0.82,
        ),
      ),
    matched_attachments: z
      .array(idField('attachment', 'A file.'))
      .optional()
      .meta(
        about('Search results: the files whose name or text has words of the query.', [
          exampleIds.attachment,
        ]),
      ),
  })
  .meta({
    id: 'ListedMessage',
    description:
      'A message in a list. Search results carry a score, and their snippet shows what was found: `**` stands around each match, ' +
      'and a backslash before each `*`, `_`, `` ` `` and `\\` of the text itself.',
  });
export type ListedMessage = z.infer<typeof ListedMessage>;
