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
import { hangMs, nameContainer, readLogs, removeContainer, untilReady } from './container.ts';
import { openClient, type Reached, receiveFirstMail } from './first-mail.ts';
import { publish, startRegistry } from './local-registry.ts';
import { makeNext, nextMigration, packAll, type Tarball } from './pack-all.ts';
import { type Ends, run, startProgram, stopAll } from './run.ts';

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
  const ends: Ends = [() => rm(folder, { recursive: true, force: true })];
  try {
    await mkdir(join(folder, 'packages'));
    const tarballs = await packAll(join(folder, 'packages'));
    const [before, next] = await packNext(folder, tarballs);
    console.log(`  packed ${before.version}, and ${next.version} with the migration ${nextMigration}`);
    const registry = await startRegistry(join(folder, 'registry'), tarballs);
    ends.push(registry.stop);
    await publish(next, folder, registry.env);
    const env = { ...process.env, ...registry.env };
    await upgrade(await byNpx(join(folder, 'data'), env, ends), before, next);
    await upgrade(await byImage(next, ends), before, next);
  } finally {
    await stopAll(ends);
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

async function byNpx(folder: string, env: NodeJS.ProcessEnv, ends: Ends): Promise<Way> {
  await mkdir(folder);
  const options = { cwd: folder, env: { ...env, POSTRIDER_HTTP_PORT: '0', POSTRIDER_SMTP_PORT: '0' } };
  const begin = (version: string) => {
    const server = startProgram(['npx', '--yes', `@postrider/server@${version}`], options);
    ends.push(server.stop);
    return server;
  };
  return {
    name: 'npx',
    start: async (version) => {
      const server = begin(version);
      const [, url = ''] = await server.until(/"url":"([^"]+)"/);
      return { url, output: async () => server.output(), stop: server.stop };
    },
    refuse: async (version) => {
      const server = begin(version);
      await Promise.race([server.ended, sleep(hangMs, null, { ref: false })]);
      return server.output();
    },
  };
}

async function byImage(next: Tarball, ends: Ends): Promise<Way> {
  const images = [
    await builtImage(),
    await buildImage((packages) => cp(next.path, join(packages, 'server.tgz'))),
  ];
  const findImage = (version: string) => images.find((name) => name.endsWith(`:${version}`)) ?? version;
  const volume = (await run(['podman', 'volume', 'create'])).output.trim();
  ends.push(() => run(['podman', 'volume', 'rm', '--force', volume]));
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
      const id = nameContainer(port);
      const stop = () => removeContainer(id);
      ends.push(stop);
      await run(['podman', 'run', `--name=${id}`, ...options, findImage(version)]);
      const url = `http://127.0.0.1:${port}`;
      await untilReady(id, url);
      return { url, output: () => readLogs(id), stop };
    },
    refuse: (version) => {
      const command = [
        'podman',
        'run',
        '--rm',
        '--read-only',
        `--volume=${volume}:/data`,
        findImage(version),
      ];
      return run(command, { timeout: hangMs }).then(
        () => 'it started',
        (error: Error) => error.message,
      );
    },
  };
}

if (import.meta.main) await checkUpgrade();
