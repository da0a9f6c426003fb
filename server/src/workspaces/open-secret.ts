import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { type DerivedKeys, deriveKeys } from '../lib/secrets.ts';
import { settingNames } from '../lib/start/setting-names.ts';
import { StartError } from '../lib/start/start-error.ts';
import { newSecretNotice, readInstanceSecret } from './instance-secret.ts';

/**
 * The keys of this server, by the secret that its database was made with. The first start notes which one that is; with
 * `newSecret` another one takes its place from now on.
 *
 * @throws StartError when the secret is missing, or is another one.
 */
export const openSecret = async (
  { db }: { db: Db },
  config: Pick<Config, 'secret' | 'dataDir'>,
  { newSecret = false } = {},
): Promise<DerivedKeys> => {
  const known = await readSecretId(db);
  const mayMake = newSecret || (known === null && !(await hasInbox(db)));
  const keys = deriveKeys(await readInstanceSecret(config, mayMake));
  if (newSecret) await replaceSecret(db, keys.keyId);
  else if (known === null) await noteFirstSecret(db, keys.keyId);
  if ((await readSecretId(db)) === keys.keyId) return keys;
  const source = config.secret ? settingNames.secret : `The secret in ${config.dataDir}/secret`;
  throw new StartError(
    `${source} is not the one that this database was made with. Set the one that belongs to it, which every process needs, or check that DATABASE_URL and ${settingNames.dataDir} name the database that you mean. ${newSecretNotice}`,
  );
};

const whole = (db: Db) => acrossWorkspaces({ db }, 'one secret is the root of the keys of all');

const readSecretId = async (db: Db): Promise<string | null> =>
  (await whole(db).selectFrom('instance').select('secret_id').executeTakeFirst())?.secret_id ?? null;

const noteFirstSecret = async (db: Db, secretId: string): Promise<void> => {
  // Of several processes that start at once with different secrets, one is the first.
  await noting(db, secretId)
    .onConflict((row) => row.doNothing())
    .execute();
};

const replaceSecret = async (db: Db, secretId: string): Promise<void> => {
  await noting(db, secretId)
    .onConflict((row) => row.column('one').doUpdateSet({ secret_id: secretId }))
    .execute();
};

const noting = (db: Db, secretId: string) =>
  whole(db).insertInto('instance').values({ one: true, secret_id: secretId });

/** Earlier versions did not note the secret, but a server that has an inbox had one. */
const hasInbox = async (db: Db): Promise<boolean> =>
  (await whole(db).selectFrom('inboxes').select('id').limit(1).executeTakeFirst()) !== undefined;
