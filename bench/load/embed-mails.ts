import type pg from 'pg';
import type { IndexedMail } from './index-mails.ts';
import type { MailSeed } from './mail-seed.ts';

/** Writes the vectors of mails, as the server does in the background. */
export interface MailVectors {
  add(mails: IndexedMail[]): Promise<void>;
  /** Notes that nothing is left to be embedded. */
  finish(): Promise<void>;
}

interface Provider {
  name: string;
  embedMany(texts: string[], signal: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}

interface VectorFunctions {
  openProvider(config: object, log: object): Promise<Provider | null>;
  codeOf(vector: Float32Array): string;
  packVector(vector: Float32Array): Buffer;
  spaceOf(provider: Provider): number;
}

const signal = new AbortController().signal;
/** As much of a message as the server embeds. */
const charactersMax = { subject: 300, text: 2_000 };

/** Opens the vectors of the mails of an order. They are made by the server's own functions, with its built-in table of words. */
export async function openMailVectors(client: pg.Client, order: MailSeed): Promise<MailVectors> {
  const { openProvider, codeOf, packVector, spaceOf } = await importVectors(order.serverFolder);
  const provider = await openProvider({ embeddings: { kind: 'words' }, timeScale: 1 }, console);
  if (!provider) throw new Error('The package @postrider/words-en is not installed.');
  const space = spaceOf(provider);
  return {
    add: async (mails) => {
      const texts = mails.map(
        ({ subject, newText }) =>
          `${subject.slice(0, charactersMax.subject)}\n${newText.slice(0, charactersMax.text)}`,
      );
      const vectors = await provider.embedMany(texts, signal);
      await client.query(insertVectors, [
        mails.map(({ workspaceId }) => workspaceId),
        mails.map(({ id }) => id),
        mails.map(({ inbox }) => inbox.id),
        vectors.map(codeOf),
        vectors.map((vector) => `\\x${packVector(vector).toString('hex')}`),
        space,
      ]);
    },
    finish: async () => {
      await client.query(
        `insert into embedding_progress (workspace_id, space, before, asked_at) select unnest($1::text[]), $2, null, now()
          on conflict (workspace_id) do update set space = excluded.space, before = null`,
        [order.workspaces.map(({ id }) => id), space],
      );
      await provider.close();
    },
  };
}

const insertVectors = `with made as (
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[]) made (workspace_id, message_id, inbox_id, code, vector)),
  codes as (
    insert into search_codes (code, space, workspace_id, inbox_id, message_id)
      select code::bit(768), $6::int, workspace_id, inbox_id, message_id from made)
  insert into search_vectors (workspace_id, message_id, vector) select workspace_id, message_id, vector from made`;

async function importVectors(folder: string): Promise<VectorFunctions> {
  const files = [
    'embedding/open-provider.ts',
    'search/semantic/quantize.ts',
    'search/semantic/vector-space.ts',
  ];
  return Object.assign(
    {},
    ...(await Promise.all(files.map((file) => import(`${folder}/server/src/${file}`)))),
  );
}
