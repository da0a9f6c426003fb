import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestServer } from '../servers/test-server.ts';

/** Columns that workers write at any time. */
const noted = 'last_used_at, position';
const notedColumns: Record<string, string> = {
  webhook_deliveries: 'attempts, fence, is_retry, next_at, due_at',
  domains: 'checks, checked_at, due_at, fence',
  approvals: 'notified_at',
  person_sessions: 'last_seen_at',
};
/**
 * Tables that are written after any request or mail: the logs of SMTP and of requests, and the ledger, which counts as one sum
 * below.
 */
const apart = [
  'smtp_decisions',
  'api_requests',
  'usage_ledger',
  'usage_totals',
  'usage_days',
  'api_processes',
  'leases',
];
/** The tables of the search index, which is filled behind the messages. */
const isOfIndex = (name: string) => /^(search|embedding)_|^attachment_texts$/.test(name);

/**
 * Returns the contents of a server: the rows of every table as a count and a checksum, the sum of all usage that counts against plans,
 * and its files. Two snapshots are equal if nothing was added, changed or removed between them. They leave out everything that requests
 * or workers record on their own: the last use of a key, the positions of events, attempts at deliveries, and queues.
 */
export async function takeSnapshot({ rows, dataDir }: TestServer): Promise<Record<string, string>> {
  const tables = await rows<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  const sums = tables
    .filter(({ name }) => !apart.includes(name) && !isOfIndex(name))
    .map(
      ({
        name,
      }) => `select '${name}' as name, count(*) || ' rows, ' || coalesce(md5(string_agg(line, '' order by line)), '') as held
        from (select md5((to_jsonb(t) - '{${notedColumns[name] ?? noted}}'::text[])::text) as line from ${name} t) lines`,
    );
  const usage = `select 'usage', coalesce(sum(amount), 0)::text
    from (select amount from usage_ledger where kind in ('emails', 'storage_bytes', 'mail_bytes')
      union all select amount from usage_totals) u`;
  const found = await rows<{ name: string; held: string }>([...sums, usage].join(' union all '));
  const files = await readdir(join(dataDir, 'files'), { recursive: true }).catch(() => []);
  return {
    ...Object.fromEntries(found.map(({ name, held }) => [name, held])),
    files: files.sort().join(' '),
  };
}
