import type { Config } from '../config.ts';
import type { Db } from '../db/database.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { type DerivedKeys, deriveKeys } from '../lib/secrets.ts';
import { settingNames } from '../lib/setting-names.ts';
import { StartError } from '../lib/start-error.ts';
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
  if (newSecret && known !== null) await noteSecret(db, keys.keyId);
  const noted = (await readSecretId(db)) ?? (await noteSecret(db, keys.keyId));
  if (noted === keys.keyId) return keys;
  const source = config.secret ? settingNames.secret : `The secret in ${config.dataDir}/secret`;
  throw new StartError(
    `${source} is not the one that this database was made with. Set the one that belongs to it, which every process needs, or check that DATABASE_URL and ${settingNames.dataDir} name the database that you mean. ${newSecretNotice}`,
  );
};

const whole = (db: Db) => acrossWorkspaces({ db }, 'one secret is the root of the keys of all');

const readSecretId = async (db: Db): Promise<string | null> =>
  (await whole(db).selectFrom('instance').select('secret_id').executeTakeFirst())?.secret_id ?? null;

/** Notes the secret in place of the one before it, and answers which one is noted. */
const noteSecret = async (db: Db, secretId: string): Promise<string> => {
  await whole(db)
    .insertInto('instance')
    .values({ one: true, secret_id: secretId })
    .onConflict((row) => row.column('one').doUpdateSet({ secret_id: secretId }))
    .execute();
  return secretId;
};

/** Only a server that had a secret makes inboxes; until a short while ago it was noted nowhere. */
const hasInbox = async (db: Db): Promise<boolean> =>
  (await whole(db).selectFrom('inboxes').select('id').limit(1).executeTakeFirst()) !== undefined;
