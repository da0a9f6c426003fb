import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Modules that are one file, together with all that they import and no group before has. */
interface ChunkGroup {
  name: string;
  priority: number;
  test(moduleId: string): boolean;
}

const source = fileURLToPath(new URL('../src/', import.meta.url));

/** @throws Error if there is no such module, since the group would then be cut into many files without a word. */
function group(name: string, priority: number, modules: string[]): ChunkGroup {
  const paths = new Set(modules.map((module) => source + module));
  const missing = [...paths].filter((path) => !existsSync(path));
  if (missing.length > 0)
    throw new Error(`The group ${name} names files that are gone: ${missing.join(', ')}.`);
  return { name, priority, test: (moduleId) => paths.has(moduleId) };
}

/**
 * The files on the way in: without them, each module that two pages share is a request of its own. First what the entry and the sign-in
 * import, then what the frame and the first page do, then what appears in the frame after the page. Entries and pages stay files of their
 * own, which the manifest names.
 */
export const chunkGroups: ChunkGroup[] = [
  // The forms are a module of their own for this group: what only a page imports goes to the groups below.
  group('sign-in', 3, ['app/providers.tsx', 'people/sign-in-forms.tsx', 'parts/card-page.tsx']),
  group('shell', 2, [
    'app/command-tools.tsx',
    'app/side-navigation.tsx',
    'keys/key-snippets.ts',
    'lib/mail-paths.ts',
    'lib/shared-queries.ts',
    'lib/use-live.ts',
    'mail/inboxes/inbox-actions.tsx',
    'mail/mail.css',
    'parts/copy-button.tsx',
    'parts/data-table.tsx',
    'parts/empty-state.tsx',
    'parts/held-actions.ts',
    'parts/buttons.tsx',
    'parts/status-badge.tsx',
    'parts/time.tsx',
  ]),
  group('menus', 1, [
    'app/menus.tsx',
    'approvals/approval-queries.tsx',
    'control/pausing.tsx',
    'mail/inboxes/inbox-dialogs.tsx',
  ]),
];
