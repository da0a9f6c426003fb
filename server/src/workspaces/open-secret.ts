import type { Config } from '../config/config.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Db } from '../db/tables.ts';
import { type DerivedKeys, deriveKeys } from '../lib/crypto/secrets.ts';
import { StartError, settingNames } from '../lib/start/start-error.ts';
import { newSecretNotice, readInstanceSecret } from './instance-secret.ts';

/**
 * Returns the keys of this server, derived from the secret that its database was made with. The first start records which secret that is.
 * With `newSecret` another one replaces it from now on.
 *
 * @throws StartError if the secret is missing or is another one.
 */
export async function openSecret(
  { db }: { db: Db },
  config: Pick<Config, 'secret' | 'dataDir'>,
  { newSecret = false } = {},
): Promise<DerivedKeys> {
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
}

function whole(db: Db) {
  return acrossWorkspaces({ db }, 'one secret is the root of the keys of all');
}

async function readSecretId(db: Db): Promise<string | null> {
  return (await whole(db).selectFrom('instance').select('secret_id').executeTakeFirst())?.secret_id ?? null;
}

async function noteFirstSecret(db: Db, secretId: string): Promise<void> {
  // If several processes start at the same time with different secrets, the first one wins.
  await noting(db, secretId)
    .onConflict((row) => row.doNothing())
    .execute();
}

async function replaceSecret(db: Db, secretId: string): Promise<void> {
  await noting(db, secretId)
    .onConflict((row) => row.column('one').doUpdateSet({ secret_id: secretId }))
    .execute();
}

function noting(db: Db, secretId: string) {
  return whole(db).insertInto('instance').values({ one: true, secret_id: secretId });
}

/** Returns whether there is an inbox. Earlier versions did not record the secret, but a server that has an inbox had one. */
async function hasInbox(db: Db): Promise<boolean> {
  return (await whole(db).selectFrom('inboxes').select('id').limit(1).executeTakeFirst()) !== undefined;
}
