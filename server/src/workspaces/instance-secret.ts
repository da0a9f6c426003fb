import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';

/**
 * The root of all derived keys: the configured one, or the one in the data folder, which the first start makes. It is
 * written aside and linked into place, so that neither a crash nor a second start can leave half a secret or two.
 */
export const readInstanceSecret = async (config: Pick<Config, 'secret' | 'dataDir'>): Promise<string> => {
  if (config.secret) return config.secret;
  const path = join(config.dataDir, 'secret');
  const known = await readFile(path, 'utf8').catch(() => null);
  if (known) return known.trim();
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  // In containers that share the folder both processes may be number 1.
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flush: true });
  await link(draft, path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  await rm(draft, { force: true });
  return (await readFile(path, 'utf8')).trim();
};
