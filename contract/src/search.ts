import * as z from 'zod';
import { about, exampleIds, idField, timestamp } from './fields/scalars.ts';
import { plainText } from './fields/texts.ts';
import { limits } from './limits.ts';
import { Message } from './message.ts';

/** The mode of a search. */
export const SearchMode = z
  .enum(['keyword', 'semantic', 'hybrid'])
  .meta({ id: 'SearchMode', ...about('How a search compares: by words, by meaning, or by both.', 'hybrid') });
export type SearchMode = z.infer<typeof SearchMode>;

/** Query fields of a list that can be searched. */
export const searchQuery = {
  query: plainText(1, limits.searchQueryCharactersMax)
    .optional()
    .meta(
      about(
        'The search query. All words must match, in any form (`invoices` finds `invoice`), and the last word can be incomplete. ' +
          'Quotation marks keep a phrase together, and `-word` excludes a word. The operators are `from:`, `to:`, `subject:`, `label:`, ' +
          '`in:` (an inbox), `filename:`, `has:attachment`, `is:inbound`, `is:outbound`, `before:` and `after:`. Everything else is ' +
          'searched for as words.',
        'from:example.com "order 17" -refund',
      ),
    ),
  mode: SearchMode.optional().meta({
    description: 'The search mode for `query`; `keyword` by default.',
    default: 'keyword',
  }),
};

/** Fields of a page that say how a search ran. */
export const searchOutcome = {
  mode_used: z
    .enum(['recent', ...SearchMode.options])
    .meta(about('The search mode that ran; `recent` without a query.', 'hybrid')),
  fallback_reason: z
    .enum(['plan', 'unavailable'])
    .optional()
    .meta(
      about(
        'Why a mode other than the requested one ran; absent if the requested mode ran. `unavailable`: semantic search is off on this ' +
          'server, is failing, or was first requested by this workspace a moment ago.',
        'plan',
      ),
    ),
  ranked_within: timestamp(
    'The time from which messages were compared; absent if all were. In keyword search, older messages follow on later pages, ranked ' +
      'separately. In semantic search, older messages are not compared. After an update of the server, or the first semantic search of ' +
      'a workspace, older messages may not be in the search index yet.',
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
          'Search results: how well the message matches, from 0 to 1. Scores of different searches cannot be compared.',
          0.82,
        ),
      ),
    matched_attachments: z
      .array(idField('attachment', 'A file.'))
      .optional()
      .meta(
        about('Search results: the attachments whose name or text contains words of the query.', [
          exampleIds.attachment,
        ]),
      ),
  })
  .meta({
    id: 'ListedMessage',
    description:
      'A message in a list. Search results have a score, and their snippet shows the matches: each match is enclosed in `**`, and ' +
      'each `*`, `_`, `` ` `` and `\\` of the text itself has a backslash before it.',
  });
export type ListedMessage = z.infer<typeof ListedMessage>;
