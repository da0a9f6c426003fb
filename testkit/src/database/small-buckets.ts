import { searchDocument } from '../../../server/src/search/text/search-document.ts';
import { typoHashes } from '../../../server/src/search/text/word-forms.ts';
import type { MailStore } from './stored-mail.ts';

/** A mail as the index has it. */
export interface IndexedMail {
  id: string;
  inboxId: string;
  from: string;
  subject: string;
  text: string;
  fileName?: string | null;
}

const blockBuckets = 32;

/** Fills the search index of a store, with buckets of a few messages, so that a search crosses many of them. */
export function createSmallBuckets(store: MailStore, bucketMessages: number) {
  const { workspaceId, rows } = store;
  let count = 0;
  return async (mail: IndexedMail): Promise<void> => {
    const bucket = Math.floor(count / bucketMessages);
    count += 1;
    const [number, block] = [bucket + 1, Math.floor(bucket / blockBuckets) + 1];
    const { vector, words } = searchDocument({
      workspaceId,
      inboxId: mail.inboxId,
      bucketId: number,
      blockId: block,
      direction: 'inbound',
      hasAttachment: Boolean(mail.fileName),
      subject: mail.subject,
      from: { address: mail.from, name: null },
      recipients: [],
      newText: mail.text,
      restText: '',
      files: mail.fileName ? [{ name: mail.fileName, text: null }] : [],
    });
    await rows('delete from search_pending where workspace_id = $1', [workspaceId]);
    await rows(
      `insert into search_workspaces (workspace_id, newest_bucket, in_newest) values ($1, $2, $3)
        on conflict (workspace_id) do update set newest_bucket = excluded.newest_bucket, in_newest = excluded.in_newest`,
      [workspaceId, bucket, (count - 1) % bucketMessages],
    );
    await rows(
      `insert into search_buckets (workspace_id, bucket, number, block, oldest, newest) values ($1, $2, $3, $4, $5, $5)
        on conflict (workspace_id, bucket) do update set newest = greatest(search_buckets.newest, excluded.newest)`,
      [workspaceId, bucket, number, block, mail.id],
    );
    await rows(
      'insert into search_messages (workspace_id, message_id, bucket, words) values ($1, $2, $3, $4::tsvector)',
      [workspaceId, mail.id, bucket, vector],
    );
    for (const word of words)
      await rows(
        `insert into search_words (workspace_id, word, n, variants) values ($1, $2, 1, $3)
          on conflict (workspace_id, word) do update set n = search_words.n + 1`,
        [workspaceId, word, typoHashes(workspaceId, word)],
      );
  };
}
