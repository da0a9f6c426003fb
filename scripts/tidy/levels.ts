/** The levels of `server/src`, lowest first. Folders end with a slash, and files do not. A file imports lower levels or its own folder. */
export const levels: string[][] = [
  ['lib/'],
  [
    'config',
    'config-variables',
    'config-variable',
    'config-mail-variables',
    'config-values',
    'config-dns-update',
    'config-embedding',
    'deps',
    'context',
    'routes',
    'metrics',
    'logger',
    'log-lines',
  ].concat(['db/', 'jobs/', 'mail/', 'files/', 'embedding/', 'dns/', 'egress/']),
  ['audit/'],
  ['workspaces/'],
  ['people/'],
  ['rules/', 'suppressions/', 'domains/', 'attachments/'],
  ['inboxes/', 'events/', 'policies/'],
  ['messages/'],
  ['search/'],
  ['delivery/', 'parsing/'],
  ['inbound/', 'outbound/'],
  ['threads/', 'labels/', 'drafts/', 'webhooks/', 'realtime/', 'accounts/', 'request-log/', 'approvals/'],
  ['app', 'main', 'jobs/remove-expired', 'db/entities', 'boot/', 'http/', 'mcp/', 'console/', 'admin/'],
];

/** On these levels, parts may import each other, because all parts of such a level belong together. */
export const openLevels = [12];

/** On this level, parts may import each other only by `import type`. */
export const interfaceLevel = 1;

/** Returns the level and the part of a file of `server/src`, such as `messages/list-messages`; null for a part that is in no level. */
export function levelOf(module: string): { level: number; part: string } | null {
  // Routes connect a noun with its verbs, wherever these are.
  if (module.endsWith('.routes')) return { level: levels.length - 1, part: 'routes' };
  for (const [level, parts] of [...levels.entries()].reverse()) {
    const part = parts.find((name) => (name.endsWith('/') ? module.startsWith(name) : module === name));
    if (part !== undefined) return { level, part };
  }
  return null;
}
