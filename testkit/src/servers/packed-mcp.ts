import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The MCP server and the SDK as people install them: from their tarballs, beside what they depend on. */
export interface PackedMcp {
  /** The folder of the unpacked package. */
  folder: string;
  /** The script that its command runs. */
  main: string;
  remove(): Promise<void>;
}

/** Packs both packages of a checkout, and unpacks them in a temporary folder. */
export async function packMcp(checkout = root): Promise<PackedMcp> {
  const parent = await mkdtemp(join(tmpdir(), 'postrider-mcp-'));
  const [mcp, sdk] = [join(checkout, 'mcp'), join(checkout, 'sdk')];
  const modules = join(parent, 'node_modules');
  await mkdir(modules);
  const folder = await unpack(mcp, join(parent, 'mcp'));
  await symlink(await unpack(sdk, join(parent, 'sdk')), join(modules, 'postrider'));
  for (const name of ['zod', '@modelcontextprotocol'])
    await symlink(join(mcp, 'node_modules', name), join(modules, name));
  await symlink(join(sdk, 'node_modules/ky'), join(modules, 'ky'));
  const { bin } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const main = join(folder, String(Object.values(bin)[0]));
  return { folder, main, remove: () => rm(parent, { recursive: true, force: true }) };
}

async function unpack(from: string, target: string): Promise<string> {
  const tarball = `${target}.tgz`;
  execFileSync('pnpm', ['pack', '--out', tarball], { cwd: from, stdio: 'pipe' });
  await mkdir(target);
  execFileSync('tar', ['xzf', tarball, '-C', target, '--strip-components=1']);
  return target;
}
