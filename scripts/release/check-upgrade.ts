/*
 * Upgrades a server that people use, by npx and by the image: what was received before is read after, and the version before refuses the
 * schema of the one after in one sentence.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../testkit/src/lib/free-port.ts';
import { buildImage, builtImage } from './build-image.ts';
import { openClient, type Reached, receiveFirstMail } from './first-mail.ts';
import { publish, startRegistry } from './local-registry.ts';
import { makeNext, nextMigration, packAll, type Tarball } from './pack-all.ts';
import { run, startProgram } from './run.ts';

/** A way to run a version of the server on the same data. */
interface Way {
  name: string;
  /** Starts a version. Resolves once it is ready. */
  start(version: string): Promise<Started>;
  /** Returns what a version prints that must not start. */
  refuse(version: string): Promise<string>;
}

interface Started {
  url: string;
  /** Returns the key of its output, which only the first start prints. */
  output(): Promise<string>;
  stop(): Promise<unknown>;
}

/** Checks the upgrade. @throws Error that says what is wrong. */
export default async function checkUpgrade(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-upgrade-'));
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    await mkdir(join(folder, 'packages'));
    const tarballs = await packAll(join(folder, 'packages'));
    const [before, next] = await packNext(folder, tarballs);
    console.log(`  packed ${before.version}, and ${next.version} with the migration ${nextMigration}`);
    const registry = await startRegistry(join(folder, 'registry'), tarballs);
    ends.push(registry.stop);
    await publish(next, folder, registry.env);
    await upgrade(await byNpx(join(folder, 'data'), { ...process.env, ...registry.env }), before, next);
    const image = await byImage(next);
    ends.push(image.remove);
    await upgrade(image, before, next);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

/** Returns the packed server, and one of the next version. */
async function packNext(folder: string, tarballs: Tarball[]): Promise<[Tarball, Tarball]> {
  const before = tarballs.find(({ name }) => name === '@postrider/server');
  if (!before) throw new Error('The server was not packed.');
  const path = join(folder, 'next.tgz');
  await cp(before.path, path);
  return [before, await makeNext({ ...before, path })];
}

async function upgrade(way: Way, before: Tarball, next: Tarball): Promise<void> {
  const first = await way.start(before.version);
  const key = /pr_live_\w{43}/.exec(await first.output())?.[0] ?? '';
  const { id, subject } = await receiveFirstMail({ url: first.url, key });
  await first.stop();
  const from = performance.now();
  const second = await way.start(next.version);
  const seconds = ((performance.now() - from) / 1_000).toFixed(1);
  await requireKept({ url: second.url, key }, id, subject);
  await second.stop();
  const refused = await way.refuse(before.version);
  const sentence = new RegExp(`^.*${nextMigration}.*$`, 'm').exec(refused)?.[0];
  if (sentence === undefined) throw new Error(`${before.version} after ${next.version}: ${refused}`);
  console.log(
    `  ${way.name}: ${before.version} to ${next.version} in ${seconds} s, and the mail is read and answered`,
  );
  console.log(`  ${way.name}: ${before.version} again: ${sentence}`);
}

/** Checks that a mail from before is there, and that an answer to it joins its thread. */
async function requireKept(reached: Reached, id: string, subject: string): Promise<void> {
  const { messages } = openClient(reached);
  const kept = await messages.get(id);
  if (kept.subject !== subject) throw new Error(`The mail ${id} has another subject: ${kept.subject}`);
  const { thread_id } = await messages.reply(id, { text: 'Gladly.' });
  if (thread_id !== kept.thread_id) throw new Error('The answer is in another thread.');
}

async function byNpx(folder: string, env: NodeJS.ProcessEnv): Promise<Way> {
  await mkdir(folder);
  const command = (version: string) => ['npx', '--yes', `@postrider/server@${version}`];
  const options = { cwd: folder, env: { ...env, POSTRIDER_HTTP_PORT: '0', POSTRIDER_SMTP_PORT: '0' } };
  return {
    name: 'npx',
    start: async (version) => {
      const server = startProgram(command(version), options);
      const [, url = ''] = await server.until(/"url":"([^"]+)"/);
      return { url, output: async () => server.output(), stop: server.stop };
    },
    refuse: async (version) => {
      const server = startProgram(command(version), options);
      await server.ended;
      return server.output();
    },
  };
}

async function byImage(next: Tarball): Promise<Way & { remove(): Promise<unknown> }> {
  const images = [
    await builtImage(),
    await buildImage((packages) => cp(next.path, join(packages, 'server.tgz'))),
  ];
  const findImage = (version: string) => images.find((name) => name.endsWith(`:${version}`)) ?? version;
  const volume = (await run(['podman', 'volume', 'create'])).output.trim();
  const logs = async (id: string) => Object.values(await run(['podman', 'logs', id])).join('\n');
  return {
    name: 'image',
    start: async (version) => {
      const port = await freePort();
      const options = [
        '--detach',
        '--read-only',
        `--volume=${volume}:/data`,
        `--publish=127.0.0.1:${port}:4400`,
      ];
      const id = (await run(['podman', 'run', ...options, findImage(version)])).output.trim();
      const url = `http://127.0.0.1:${port}`;
      while (!(await fetch(`${url}/readyz`).catch(() => null))?.ok) {
        const { output } = await run(['podman', 'inspect', '--format={{.State.Status}}', id]);
        if (output.trim() === 'exited') throw new Error(await logs(id));
        await sleep(100);
      }
      return { url, output: () => logs(id), stop: () => run(['podman', 'rm', '--force', '--time=15', id]) };
    },
    refuse: (version) =>
      run(['podman', 'run', '--rm', '--read-only', `--volume=${volume}:/data`, findImage(version)]).then(
        () => 'it started',
        (error: Error) => error.message,
      ),
    remove: () => run(['podman', 'volume', 'rm', '--force', volume]),
  };
}

if (import.meta.main) await checkUpgrade();
