/*
 * Tries what `deploy/` has: the unit under systemd's own check, the manifests against the types of Kubernetes, and the compose files in
 * podman, up to the first mail that a program of one's own receives.
 */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { baseImage, builtImage } from './build-image.ts';
import { hangMs } from './container.ts';
import { receiveFirstMail } from './first-mail.ts';
import { findPostgresImage } from './postgres-image.ts';
import { run } from './run.ts';

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url));
const page = join(deploy, '../docs/self-hosting/deployment.md');
const internet = 'compose.internet.yaml';
/** Not that of the folder, whose containers and volumes may be in use. */
const project = 'postrider-check';
const url = 'http://127.0.0.1:4400';
const models = ['kubernetes-models@5.1.0', 'yaml@2.9.1'];

/** Checks the folder. @throws Error that says what is wrong. */
export default async function checkDeploy(): Promise<void> {
  const unit = await run(['systemd-analyze', 'verify', join(deploy, 'systemd/postrider.service')]);
  if (unit.warnings.includes('postrider.service')) throw new Error(unit.warnings);
  console.log('  systemd-analyze verify: nothing to say');
  const folder = await mkdtemp(join(tmpdir(), 'postrider-deploy-'));
  try {
    await checkManifests(folder);
    console.log(`  image: ${await builtImage()}`);
    await compose([join(deploy, 'compose.yaml')], receiveOne);
    await compose([await copyInternet(folder)], leadToHttps);
    const { image, about } = await findPostgresImage(baseImage);
    console.log(`  Postgres: ${about}`);
    const override = join(folder, 'compose.postgres.yaml');
    await writeFile(override, `services:\n  postgres:\n    image: ${image}\n`);
    await compose([join(deploy, 'compose.postgres.yaml'), override], receiveOne);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Reads each manifest by the types that are made of the schemas of Kubernetes. */
async function checkManifests(folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await run(['npm', 'install', '--no-audit', '--no-fund', ...models], { cwd: folder });
  await writeFile(join(folder, 'validate.mjs'), validator);
  for (const name of await readdir(join(deploy, 'kubernetes'))) {
    const { output } = await run(['node', 'validate.mjs', join(deploy, 'kubernetes', name)], { cwd: folder });
    console.log(`  ${name}: ${output.trim()}`);
  }
}

const validator = `import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
const kinds = [];
for (const document of parseAllDocuments(readFileSync(process.argv[2], 'utf8'))) {
  const manifest = document.toJS();
  const models = await import('kubernetes-models/' + (manifest.apiVersion.includes('/') ? manifest.apiVersion : 'v1'));
  new models[manifest.kind](manifest).validate();
  kinds.push(manifest.kind);
}
console.log(kinds.join(', ') + ' are valid');
`;

/**
 * Copies the file for a machine on the internet, with the settings of the page beside it, and with ports of this machine alone. No
 * certificate is asked for, since these names are not ours.
 */
async function copyInternet(folder: string): Promise<string> {
  const [settings = ''] = /^POSTRIDER_PUBLIC_URL=[^`]+/m.exec(await readFile(page, 'utf8')) ?? [];
  await writeFile(join(folder, '.env'), `${settings}POSTRIDER_ACME_DIRECTORY=https://127.0.0.1:1/\n`);
  const path = join(folder, internet);
  const text = await readFile(join(deploy, internet), 'utf8');
  await writeFile(path, text.replaceAll(/"\d+:(\d+)"/g, '"127.0.0.1:$1:$1"'));
  return path;
}

async function receiveOne(key: string): Promise<string> {
  const { subject } = await receiveFirstMail({ url, key });
  return `the first own mail (${subject})`;
}

async function leadToHttps(): Promise<string> {
  const { status, headers } = await fetch(`${url}/v1/account`, { redirect: 'manual' });
  const to = headers.get('location');
  if (status !== 308 || !to?.startsWith('https://')) throw new Error(`HTTP leads to ${status} ${to}`);
  return `HTTP leads to ${to}`;
}

/** Starts compose files, waits until the server is ready, and calls a check with the first key, which is in its log. */
async function compose(paths: string[], check: (key: string) => Promise<string>): Promise<void> {
  const env = { ...process.env, POSTGRES_PASSWORD: 'a'.repeat(48), POSTRIDER_SECRET: 'b'.repeat(64) };
  const files = paths.flatMap((path) => ['-f', path]);
  const call = (...args: string[]) =>
    run(['podman-compose', '-p', project, ...files, ...args], { cwd: deploy, env });
  const logs = async (...of: string[]) => Object.values(await call('logs', ...of)).join('\n');
  const from = performance.now();
  const seconds = () => ((performance.now() - from) / 1_000).toFixed(1);
  try {
    await call('up', '-d');
    while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
      if (performance.now() - from > hangMs) throw new Error(await logs());
      await sleep(200);
    }
    const readyAfter = seconds();
    const key = /pr_live_\w{43}/.exec(await logs('postrider'))?.[0] ?? '';
    if (key === '') throw new Error(await logs());
    const found = await check(key);
    console.log(`  ${basename(paths[0] ?? '')}: ready after ${readyAfter} s; after ${seconds()} s: ${found}`);
  } finally {
    await call('down', '-v');
    await removeLeft('volume');
    await removeLeft('network');
  }
}

/** Removes what podman-compose 1.0 leaves: the network, and a volume whose name is the beginning of another one. */
async function removeLeft(kind: 'volume' | 'network'): Promise<void> {
  const { output } = await run(['podman', kind, 'ls', '--quiet', `--filter=name=${project}`]);
  const names = output.split('\n').filter((name) => name !== '');
  if (names.length > 0) await run(['podman', kind, 'rm', ...names]);
}

if (import.meta.main) await checkDeploy();
