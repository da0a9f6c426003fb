/* The changelog: the changes that are not released yet, one file each, and the lists of the versions that are. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brand } from '@postrider/contract';

/** The packages whose versions are listed, by their folders. */
const packages = { server: brand.packages.server, sdk: brand.packages.sdk, mcp: brand.packages.mcp };

/** Returns the changes of the source code in a folder as Markdown; an empty text if there are none. */
export function readChanges(root: string): string {
  const parts = [readUnreleased(join(root, '.changeset'))];
  for (const [folder, name] of Object.entries(packages)) {
    const path = join(root, folder, 'CHANGELOG.md');
    if (existsSync(path)) parts.push(`## ${name}\n\n${readVersions(path)}`);
  }
  return parts.filter((part) => part !== '').join('\n\n');
}

function readUnreleased(folder: string): string {
  const changes = readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((name) => describeChange(readFileSync(join(folder, name), 'utf8')));
  return changes.length === 0 ? '' : `## Not released yet\n\n${changes.join('\n\n')}\n`;
}

/** A change begins with the packages that it is about, between two lines of hyphens. */
function describeChange(text: string): string {
  const [, head = '', body = ''] = /^---\n(.*?)^---\n(.*)$/ms.exec(text) ?? [];
  const names = [...head.matchAll(/"([^"]+)"/g)].map(([, name]) => `\`${name}\``);
  return `- ${names.join(', ')}: ${body.trim().replaceAll(/\n(?=[^\n])/g, '\n  ')}`;
}

/** The title of the file is left out, and its versions are a level lower. */
function readVersions(path: string): string {
  return readFileSync(path, 'utf8')
    .replace(/^# .*\n/, '')
    .replaceAll(/^(#+) /gm, '$1# ')
    .trim();
}
