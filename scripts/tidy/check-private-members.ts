import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPrivateMembers } from './find-private-members.ts';
import { type PrivateMembers, privateMembers } from './private-members.ts';
import type { Finding, SourceFile } from './source-file.ts';

const listPath = 'scripts/tidy/private-members.ts';
const rootFolder = fileURLToPath(new URL('../../', import.meta.url));

/** Returns the version of a package that a file imports; null if it is not installed. */
type VersionOf = (packageName: string, path: string) => string | null;

/**
 * Checks that the list of private members of libraries is complete, that all of them are in use, and that each was read in the version that
 * is installed. A new version may change such a member without a word.
 */
export function checkPrivateMembers(
  files: SourceFile[],
  list: PrivateMembers[] = privateMembers,
  versionOf: VersionOf = installedVersion,
): Finding[] {
  const listed = new Set(
    list.flatMap(({ files: uses }) =>
      Object.entries(uses).flatMap(([path, members]) => members.map((member) => `${path} ${member}`)),
    ),
  );
  const uses = files.flatMap(findPrivateMembers);
  const used = new Set(uses.map(({ path, member }) => `${path} ${member}`));
  return [
    ...uses
      .filter(({ path, member }) => !listed.has(`${path} ${member}`))
      .map(({ path, line, member }) => ({
        path,
        line,
        message: `${member} is private to a library: use something documented, or add it to ${listPath}`,
      })),
    ...[...listed].filter((use) => !used.has(use)).map((use) => inList(`not used any more: ${use}`)),
    ...list.flatMap((library) => checkVersion(library, versionOf)),
  ];
}

function checkVersion({ name, version, files }: PrivateMembers, versionOf: VersionOf): Finding[] {
  const installed = Object.keys(files).map((path) => versionOf(name, path));
  const other = installed.find((one) => one !== version);
  if (other === undefined) return [];
  const sentence =
    other === null
      ? `${name} is not installed`
      : `${name} is ${other}, and its members were read in ${version}: read them again, and write the new version`;
  return [inList(sentence)];
}

function inList(message: string): Finding {
  return { path: listPath, line: 1, message };
}

function installedVersion(packageName: string, path: string): string | null {
  const folders = path.startsWith('examples/') ? path.split('/').slice(0, 2) : path.split('/').slice(0, 1);
  const inPackage = readVersion(join(rootFolder, ...folders, 'node_modules', packageName));
  return inPackage ?? readVersion(join(rootFolder, 'node_modules', packageName));
}

function readVersion(folder: string): string | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;
  } catch {
    // The package of another folder is asked next.
    return null;
  }
}
