import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../testkit/src/lib/free-port.ts';
import type { Tarball } from './pack-all.ts';
import { run, startProgram } from './run.ts';

/** Verdaccio is fetched by npx, since nothing but this needs it. */
const verdaccio = 'verdaccio@6.10.4';

/** A registry on this machine, which passes on to npm's what it does not have. */
export interface LocalRegistry {
  /** The settings with which npm uses it and nothing that was installed before. */
  env: Record<string, string>;
  stop(): Promise<unknown>;
}

/** Starts a registry and publishes the packages to it. Nothing leaves this machine. */
export async function startRegistry(folder: string, tarballs: Tarball[]): Promise<LocalRegistry> {
  await mkdir(folder, { recursive: true });
  const port = await freePort();
  const address = `127.0.0.1:${port}`;
  const upstream = (await run(['npm', 'config', 'get', 'registry'])).output.trim();
  await writeFile(join(folder, 'config.yaml'), configuration(folder, upstream, tarballs));
  const registry = startProgram([
    'npx',
    '--yes',
    verdaccio,
    '--config',
    join(folder, 'config.yaml'),
    '--listen',
    address,
  ]);
  await registry.until(/http address/);
  const settings = join(folder, 'npmrc');
  await writeFile(settings, `registry=http://${address}/\n//${address}/:_authToken=nobody\n`);
  const env = { npm_config_userconfig: settings, npm_config_cache: join(folder, 'npm-cache') };
  for (const tarball of tarballs) await publish(tarball, folder, env);
  return { env, stop: registry.stop };
}

/** Publishes a package to a local registry, by its settings. */
export async function publish({ path }: Tarball, folder: string, env: LocalRegistry['env']): Promise<void> {
  await run(['npm', 'publish', path, '--tag', 'latest'], { cwd: folder, env: { ...process.env, ...env } });
}

function configuration(folder: string, upstream: string, tarballs: Tarball[]): string {
  const own = tarballs.map(
    ({ name }) => `  '${name}':\n    access: $all\n    publish: $all\n    unpublish: $all\n`,
  );
  return `storage: ${join(folder, 'storage')}
auth:
  htpasswd:
    file: ${join(folder, 'htpasswd')}
uplinks:
  npm:
    url: ${upstream}
packages:
${own.join('')}  '**':
    access: $all
    proxy: npm
max_body_size: 100mb
log: { type: stdout, format: pretty, level: warn }
`;
}
