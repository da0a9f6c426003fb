import { randomBytes, randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { makeOwnFolder } from '../lib/start/make-own-folder.ts';
import { StartError, settingNames } from '../lib/start/start-error.ts';

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
  // An existing empty file holds nothing that could be lost.
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
  'To go on with another one, start once with --new-secret: existing download links stop working, delivery reports on mail already sent are no longer recognised, webhook secrets have to be replaced, and the mail domain gets a new DKIM key to publish in DNS.';

function missing(path: string): StartError {
  return new StartError(
    `${path} is missing or empty, and the database beside it was made with it. It is the root of the keys that sign links and return paths and that read the secrets of webhooks. Restore it from your copy, or set ${settingNames.secret} to what it held. ${newSecretNotice}`,
  );
}
