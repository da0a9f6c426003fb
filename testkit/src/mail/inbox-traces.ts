import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestServer } from '../servers/test-server.ts';

/** The tables with rows that outlive an inbox: the holds of addresses, the log of SMTP, and the log of events and their deliveries. */
const kept = ['addresses', 'smtp_decisions', 'events', 'webhook_deliveries'];

/** Returns what is left of an inbox, in tables and files. It is empty once all of the inbox was removed. */
export async function findTraces(
  { rows, dataDir }: TestServer,
  inbox: { workspaceId: string; id: string },
): Promise<Record<string, number>> {
  const tables = await rows<{ name: string }>(
    "select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'inbox_id'",
  );
  const counts = tables
    .filter(({ name }) => !kept.includes(name))
    .map(({ name }) => `select '${name}' as name, count(*)::int as count from ${name} where inbox_id = $1`);
  const own = "select 'inboxes', count(*)::int from inboxes where id = $1";
  const found = await rows<{ name: string; count: number }>([...counts, own].join(' union all '), [inbox.id]);
  const folder = join(dataDir, 'files', inbox.workspaceId, inbox.id);
  const files = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const originals = await rows<{ name: string; count: number }>(
    `select 'originals' as name, count(*)::int as count from originals o
      join messages m on m.workspace_id = o.workspace_id and m.id = o.message_id where m.inbox_id = $1`,
    [inbox.id],
  );
  const all = [
    ...found,
    ...originals,
    { name: 'files', count: files.filter((entry) => entry.isFile()).length },
  ];
  return Object.fromEntries(all.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]));
}

/** Returns the numbers of rows that belong to a message or thread that does not exist, by table. */
export async function findOrphans({ rows }: Pick<TestServer, 'rows'>): Promise<Record<string, number>> {
  const without = (table: string, column: string, parent: string) =>
    `select '${table}' as name, count(*)::int as count from ${table} t where not exists (
      select 1 from ${parent} p where p.workspace_id = t.workspace_id and p.id = t.${column})`;
  const checks = [
    without('messages', 'thread_id', 'threads'),
    without('messages', 'inbox_id', 'inboxes'),
    without('threads', 'inbox_id', 'inboxes'),
    without('originals', 'message_id', 'messages'),
    without('message_recipients', 'message_id', 'messages'),
    without('message_labels', 'message_id', 'messages'),
    without('message_terms', 'message_id', 'messages'),
    without('attachments', 'message_id', 'messages'),
    without('message_ids', 'message_id', 'messages'),
    without('awaited_ids', 'thread_id', 'threads'),
    without('thread_aliases', 'thread_id', 'threads'),
  ];
  const found = await rows<{ name: string; count: number }>(checks.join(' union all '));
  return Object.fromEntries(found.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]));
}
