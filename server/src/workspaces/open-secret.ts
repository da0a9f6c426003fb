import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Db } from '../db/tables.ts';
import { type DerivedKeys, deriveKeys } from '../lib/crypto/primitives.ts';
import { makeOwnFolder } from '../lib/start/make-own-folder.ts';
import { StartError, settingNames } from '../lib/start/start-error.ts';

/**
 * Returns the keys of this server, derived from the secret with which its database was created. The first start records which secret that
 * is. With `newSecret`, another one replaces it from now on.
 *
 * @throws StartError if the secret is missing or is a different one.
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
    `${source} is not the one that this database was created with. Set the right secret, which must be the same for all processes, or check that DATABASE_URL and ${settingNames.dataDir} name the right database. ${newSecretNotice}`,
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

type SecretConfig = Pick<Config, 'secret' | 'dataDir'>;

/**
 * Returns the root of all derived keys: the configured secret, or the one in the data folder. If that is missing, it is created, which only
 * the first start may do (`mayMake`). It is written to a draft and linked into place, so that neither a crash nor a second start can leave
 * half a secret or two.
 *
 * @throws StartError if the file is missing and must not be created, or cannot be read.
 */
export async function readInstanceSecret(config: SecretConfig, mayMake: boolean): Promise<string> {
  if (config.secret) return config.secret;
  const path = join(config.dataDir, 'secret');
  const known = await readSecret(path);
  if (known) return known;
  if (!mayMake) throw missing(path);
  makeOwnFolder(config.dataDir);
  // In containers that share the folder, both processes may have the process id 1.
  const draft = `${path}.${randomUUID()}`;
  // An existing empty file contains nothing that could be lost.
  if (known === '') await rm(path, { force: true });
  await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true });
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft, { force: true });
  return (await readFile(path, 'utf8')).trim();
}

/** Returns the secret in a file; null if there is no such file. */
async function readSecret(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new StartError(
      `${path}, which holds the secret of this server, cannot be read. Give it to the user that runs this program.`,
      error,
    );
  }
}

/** Tells the effects of a new secret, and how to use one anyway. */
export const newSecretNotice =
  'To continue with a different one, start once with --new-secret: existing download links stop working, delivery reports on mail already sent are no longer recognised, webhook secrets must be replaced, and the mail domain gets a new DKIM key to publish in DNS.';

function missing(path: string): StartError {
  return new StartError(
    `${path} is missing or empty, but the database needs it. It is the root of the keys that sign links and return paths and that decrypt webhook secrets. Restore it from your copy, or set ${settingNames.secret} to its content. ${newSecretNotice}`,
  );
}
