/*
 * Tries what `deploy/` has: the unit under systemd's own check, the manifests against the types of Kubernetes, and both compose files in
 * podman. The Postgres beside the server is the official image, which has to be there or be fetched.
 */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildImage } from './build-image.ts';
import { run } from './run.ts';

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));
/** This only catches a server that never becomes ready. */
const hangMs = 300_000;
const models = ['kubernetes-models@5.1.0', 'yaml@2.9.1'];

/** Checks the folder. @throws Error that says what is wrong. */
export default async function checkDeploy(): Promise<void> {
  const unit = await run(['systemd-analyze', 'verify', join(deploy, 'systemd/postrider.service')]);
  if (unit.warnings.includes('postrider.service')) throw new Error(unit.warnings);
  console.log('  systemd-analyze verify: nothing to say');
  await checkManifests();
  await buildImage();
  for (const file of ['compose.yaml', 'compose.postgres.yaml']) await compose(file);
}

/** Reads each manifest by the types that are made of the schemas of Kubernetes. */
async function checkManifests(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-manifests-'));
  try {
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await run(['npm', 'install', '--no-audit', '--no-fund', ...models], { cwd: folder });
    await writeFile(join(folder, 'validate.mjs'), validator);
    for (const name of await readdir(join(deploy, 'kubernetes'))) {
      const { output } = await run(['node', 'validate.mjs', join(deploy, 'kubernetes', name)], {
        cwd: folder,
      });
      console.log(`  ${name}: ${output.trim()}`);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

const validator = `import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
const kinds = [];
for (const document of parseAllDocuments(readFileSync(process.argv[2], 'utf8'))) {
  const manifest = document.toJS();
  /** This only catches a server that never becomes ready. */
const hangMs = 300_000;
const models = await import('kubernetes-models/' + (manifest.apiVersion.includes('/') ? manifest.apiVersion : 'v1'));
  new models[manifest.kind](manifest).validate();
  kinds.push(manifest.kind);
}
console.log(kinds.join(', ') + ' are valid');
`;

/** Starts a compose file, waits until the server is ready, reads the first key from its log, and makes an inbox with it. */
async function compose(file: string): Promise<void> {
  const env = { ...process.env, POSTGRES_PASSWORD: 'a'.repeat(48), POSTRIDER_SECRET: 'b'.repeat(64) };
  const call = (...args: string[]) =>
    run(['podman-compose', '-f', join(deploy, file), ...args], { cwd: deploy, env });
  const from = performance.now();
  try {
    await call('up', '-d');
    while (!(await fetch('http://127.0.0.1:4400/readyz').catch(() => null))?.ok) {
      if (performance.now() - from > hangMs) throw new Error(Object.values(await call('logs')).join('\n'));
      await sleep(200);
    }
    const seconds = ((performance.now() - from) / 1_000).toFixed(1);
    const key = /pr_live_\w{43}/.exec(Object.values(await call('logs', 'postrider')).join('\n'))?.[0];
    const answer = await fetch('http://127.0.0.1:4400/v1/inboxes', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ local_part: 'first' }),
    });
    if (answer.status !== 201) throw new Error(`${file}: ${answer.status} ${await answer.text()}`);
    console.log(`  ${file}: ready after ${seconds} s, an inbox by the first key of its log`);
  } finally {
    await call('down', '-v');
  }
}

if (import.meta.main) await checkDeploy();
