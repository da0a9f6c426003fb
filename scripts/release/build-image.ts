/*
 * Builds the image of the server: a base of Debian by debootstrap with Node, and on it the packed packages. It needs root, debootstrap and
 * buildah. `node scripts/release/build-image.ts` leaves the image in the local storage.
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packAll } from './pack-all.ts';
import { run } from './run.ts';

const imageFolder = fileURLToPath(new URL('../../deploy/image/', import.meta.url));
const versions = { debian: 'bookworm', node: '24.21.0', npm: '11.19.1' };
/** The base of the image. */
export const baseImage = `localhost/postrider-base:${versions.debian}-node-${versions.node}`;
/** The packages of Debian beside the essential ones. */
const debianPackages = ['ca-certificates', 'tini', 'libnss-wrapper'];
/** A container has no use for these. */
const removed = [
  'usr/share/doc',
  'usr/share/man',
  'usr/share/locale',
  'usr/share/info',
  'var/cache/apt',
  'var/lib/apt/lists',
];

/** The name of the image in the local storage, for a version. */
export function imageName(version: string): string {
  return `localhost/postrider/server:${version}`;
}

let built: Promise<string> | null = null;

/** Returns the name of the image, which the first check that needs it builds. */
export function builtImage(): Promise<string> {
  built ??= buildImage();
  return built;
}

/** Builds the base and the image. `change` may change the packed packages in a folder before. Returns the name of the image. */
export async function buildImage(change?: (folder: string) => Promise<void>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-image-'));
  try {
    if (!(await isThere(baseImage))) await buildBase(join(folder, 'root'));
    const context = join(folder, 'context');
    mkdirSync(join(context, 'packages'), { recursive: true });
    cpSync(imageFolder, context, { recursive: true });
    const tarballs = await packAll(join(context, 'packages'));
    await change?.(join(context, 'packages'));
    const server = tarballs.find(({ name }) => name.endsWith('/server'));
    const version = await readVersion(server?.path ?? '');
    // Models of one's own are for those who install them.
    rmSync(join(context, 'packages', 'embeddings.tgz'));
    const options = [
      '--label',
      `org.opencontainers.image.version=${version}`,
      '--build-arg',
      `BASE=${baseImage}`,
    ];
    const registry = (await run(['npm', 'config', 'get', 'registry'])).output.trim();
    options.push('--build-arg', `npm_config_registry=${registry}`);
    const authorities = process.env.NODE_EXTRA_CA_CERTS;
    if (authorities !== undefined)
      options.push(
        '--build-arg',
        `NODE_EXTRA_CA_CERTS=${authorities}`,
        '--volume',
        `${authorities}:${authorities}:ro`,
      );
    // Only this format has the health check.
    await run(['buildah', 'build', '--format=docker', ...options, '--tag', imageName(version), context]);
    return imageName(version);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the version that a packed package says it is. */
async function readVersion(tarball: string): Promise<string> {
  const { output } = await run(['tar', 'xzOf', tarball, 'package/package.json']);
  return JSON.parse(output).version;
}

/** The base is the same as long as its versions are. */
function isThere(image: string): Promise<boolean> {
  return run(['buildah', 'images', image]).then(
    () => true,
    () => false,
  );
}

async function buildBase(root: string): Promise<void> {
  const mirror =
    process.env.DEBIAN_MIRROR === undefined ? await machineMirror() : [process.env.DEBIAN_MIRROR];
  const include = `--include=${debianPackages.join()}`;
  await run(['debootstrap', '--variant=minbase', include, versions.debian, root, ...mirror]);
  const install = [
    'npm',
    'install',
    '--global',
    '--no-audit',
    '--no-fund',
    '--prefix',
    join(root, 'usr/local'),
  ];
  const nodePackage = `node-linux-${process.arch}`;
  await run([...install, `${nodePackage}@${versions.node}`, `npm@${versions.npm}`]);
  const modules = join(root, 'usr/local/lib/node_modules');
  // npm made a link to it.
  rmSync(join(root, 'usr/local/bin/node'));
  cpSync(join(modules, nodePackage, 'bin/node'), join(root, 'usr/local/bin/node'));
  rmSync(join(modules, nodePackage), { recursive: true });
  for (const path of removed) rmSync(join(root, path), { recursive: true, force: true });
  const container = (await run(['buildah', 'from', 'scratch'])).output.trim();
  await run(['buildah', 'add', container, root, '/']);
  await run(['buildah', 'commit', '--rm', container, baseImage]);
}

/** The mirror that this machine installs from. */
async function machineMirror(): Promise<string[]> {
  const { output } = await run(['apt-get', 'indextargets', '--format', '$(SITE)']);
  return output.trim().split('\n').slice(0, 1);
}

if (import.meta.main) console.log(await buildImage());
