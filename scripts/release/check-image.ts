/*
 * Builds the image and runs it in podman as people do: with a read-only root, as an arbitrary user, twice on one volume. It prints the size
 * and the contents.
 */
import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../testkit/src/lib/free-port.ts';
import { builtImage } from './build-image.ts';
import { nameContainer, removeContainer, untilReady } from './container.ts';
import { run } from './run.ts';

const megabyte = 1_000_000;
const compressedMax = 250 * megabyte;

/** Checks the image. @throws Error that says what is wrong. */
export default async function checkImage(): Promise<void> {
  const image = await builtImage();
  await describe(image);
  await lookForLooseFiles(image);
  await startAs(image, null);
  await startAs(image, '123456:0');
}

async function describe(image: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'postrider-image-'));
  const archive = join(folder, 'image.tar');
  await run(['buildah', 'push', image, `oci-archive:${archive}`]);
  const compressed = statSync(archive).size;
  await rm(folder, { recursive: true });
  const [about] = JSON.parse((await run(['podman', 'image', 'inspect', image])).output);
  const size = (bytes: number) => `${Math.round(bytes / megabyte)} MB`;
  console.log(
    `  ${image}: ${size(about.Size)}, compressed ${size(compressed)}, ${about.RootFS.Layers.length} layers, user ${about.User}`,
  );
  if (compressed > compressedMax) throw new Error(`The image is larger than ${size(compressedMax)}.`);
  const parts = await inImage(image, [
    'sh',
    '-c',
    'grep -c bom-ref /app/sbom-npm.json; wc -l < /app/sbom-dpkg.txt',
  ]);
  console.log(
    `  software bill of materials: ${parts.trim().split('\n').join(' packages of npm, ')} of Debian`,
  );
}

/** Nobody but root may change what runs, and nothing runs with rights of its own. */
async function lookForLooseFiles(image: string): Promise<void> {
  const found = await inImage(image, [
    'sh',
    '-c',
    'find / -xdev -path /proc -prune -o \\( -perm /6000 -type f -o -perm -0002 ! -type l ! -path /tmp ! -path /var/tmp ! -path /run/lock \\) -print',
  ]);
  if (found.trim() !== '')
    throw new Error(`Files that anybody may write, or with rights of their own:\n${found}`);
  console.log('  no file that anybody may write, none with setuid or setgid');
}

async function inImage(image: string, command: string[]): Promise<string> {
  const [program = '', ...args] = command;
  return (await run(['podman', 'run', '--rm', '--user=0', `--entrypoint=${program}`, image, ...args])).output;
}

/** Starts the image with a read-only root, as its own user or another one, and a second container on the same volume. */
async function startAs(image: string, user: string | null): Promise<void> {
  const [volume] = (await run(['podman', 'volume', 'create'])).output.trim().split('\n');
  const port = await freePort();
  const options = [
    '--read-only',
    '--shm-size=64m',
    `--volume=${volume}:/data`,
    ...(user === null ? [] : [`--user=${user}`]),
  ];
  const from = performance.now();
  const id = nameContainer(port);
  const own = ['--detach', `--name=${id}`, `--publish=127.0.0.1:${port}:4400`];
  try {
    await run(['podman', 'run', ...own, ...options, image]);
    await untilReady(id, `http://127.0.0.1:${port}`);
    console.log(
      `  read-only, as ${user ?? 'its own user'}: ready after ${((performance.now() - from) / 1_000).toFixed(1)} s`,
    );
    const second = await run(['podman', 'run', '--rm', ...options, image]).then(
      () => 'it started',
      (error: Error) => error.message,
    );
    const refusal = /^.*is in use by process.*$/m.exec(second)?.[0];
    if (refusal === undefined) throw new Error(`A second container on the same volume: ${second}`);
    console.log(`  a second container on its volume: ${refusal.replace(/^Error: /, '')}`);
    await run(['podman', 'exec', id, 'postrider-server', 'keys', 'list']);
  } finally {
    await removeContainer(id);
    await run(['podman', 'volume', 'rm', volume ?? '']);
  }
}

if (import.meta.main) await checkImage();
