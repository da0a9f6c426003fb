/*
 * Decisions are in the order of their ids. A page is made of lists that an index has in this order: the decisions about mail of the
 * workspace, and for each hostname that it owns those about addresses there that lead nowhere. Each is read no further than one page
 * looks.
 */
import { domainToUnicode } from 'node:url';
import type { MailDecision } from '@postrider/contract/console';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Context } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { invalidField } from '../lib/api-error.ts';
import { decodeCursor, encodeCursor, type Page, pageOf } from '../lib/cursor.ts';

type DecisionRow = Selectable<Tables['smtp_decisions']>;
type VerdictFilter = DecisionRow['verdict'] | 'failed' | 'passed';
type Owner = Pick<Context, 'db' | 'workspaceId'>;

/** Which decisions to list. */
export interface ListDecisions {
  limit: number;
  cursor?: string | undefined;
  /** A part of sender, recipient, host or reply, in upper or lower case. */
  query?: string | undefined;
  /** One verdict; `failed` for refused and deferred mail, and `passed` for all other. */
  verdict?: VerdictFilter | undefined;
  inbox_id?: string | undefined;
}

/** The number of decisions that a page examines for those that pass its filters. */
export const examinedMax = 10_000;
/** As many of the workspace, and of each of its hostnames, however many hostnames there are. */
const examinedMin = 1_000;

/**
 * Returns a page of the decisions on mail for the caller's workspace, newest first, with those on mail for unknown addresses at hostnames
 * that the workspace has proved, from that time on. A page of rare decisions may have fewer than `limit`, or none, and still be followed by
 * another.
 */
export async function listDecisions(ctx: Owner, query: ListDecisions): Promise<Page<DecisionRow>> {
  const below = query.cursor === undefined ? null : readCursorId(query.cursor);
  // An unknown address is in no inbox.
  const hosts = query.inbox_id === undefined ? await ownHosts(ctx) : [];
  return inTransaction(ctx, async (tx) => {
    // The planner cannot tell how many decisions a hostname has. With a bitmap it would read all of them for a page.
    await sql`set local enable_bitmapscan = off`.execute(tx.db);
    return readPage(tx, hosts, below, query);
  });
}

async function readPage(
  ctx: Owner,
  hosts: OwnHost[],
  below: number | null,
  query: ListDecisions,
): Promise<Page<DecisionRow>> {
  const { limit } = query;
  const filters = buildFilters(query);
  // The end of the searched range is read first, so that rows that are added meanwhile do not move it.
  const end = filters.length === 0 ? null : await findEnd(ctx, hosts, below);
  const range = [
    ...(below === null ? [] : [sql`id < ${below}`]),
    ...(end === null ? [] : [sql`id >= ${end}`]),
  ];
  const where = sql.join([sql`true`, ...range, ...filters], sql` and `);
  const { rows } = await sql<DecisionRow>`
    ${buildLists(ctx, hosts, { columns: decisionColumns, where, most: limit + 1, isShort: end !== null })}
    order by id desc limit ${limit + 1}`.execute(
    acrossWorkspaces(ctx, 'mail for unknown addresses belongs to no workspace'),
  );
  const page = pageOf(rows, limit, ({ id }) => [String(id)]);
  return end !== null && page.nextCursor === null
    ? { ...page, nextCursor: encodeCursor([String(end)]) }
    : page;
}

/** The columns of a decision. */
export const decisionColumns = sql`id, at, workspace_id, inbox_id, message_id, session_id, remote_address, helo, mail_from, rcpt_to, verdict, reply`;

/** A hostname of the workspace, and the time from which on it is. */
interface OwnHost {
  host: string;
  since: Date;
}

/** Returns the hostnames that the workspace owns now. Dedicated subdomains are among them, and the shared domain is not. */
async function ownHosts(ctx: Owner): Promise<OwnHost[]> {
  const rows = await acrossWorkspaces(ctx, 'a hostname has one owner over all workspaces')
    .selectFrom('verified_hostnames as v')
    .innerJoin('domains as d', (on) =>
      on.onRef('d.workspace_id', '=', 'v.workspace_id').onRef('d.id', '=', 'v.domain_id'),
    )
    .select(['v.hostname', 'd.verified_at'])
    .where('v.workspace_id', '=', ctx.workspaceId)
    .where('d.verified_at', 'is not', null)
    .execute();
  return rows.flatMap(({ hostname, verified_at: since }) =>
    since === null
      ? []
      : [...new Set([hostname, domainToUnicode(hostname)])].map((host) => ({ host, since })),
  );
}

interface Part {
  columns: RawBuilder<unknown>;
  where: RawBuilder<unknown>;
  most: number;
  skip?: number;
  /** Whether each list has a page's share of decisions at most. */
  isShort?: boolean;
}

/** Returns the union of the lists, each with its newest rows. */
function buildLists(
  { workspaceId }: Owner,
  hosts: OwnHost[],
  { columns, where, most, skip = 0, isShort = false }: Part,
) {
  // The planner would expect to find matches of a short list sooner among all decisions, and would read those of all workspaces.
  const newest = sql`order by ${isShort ? sql`id + 0` : sql`id`} desc offset ${skip} limit ${most - skip}`;
  const own = sql`(select ${columns} from smtp_decisions where workspace_id = ${workspaceId} and ${where} ${newest})`;
  if (hosts.length === 0) return sql`select * from ${own} listed`;
  // Ids follow the times to within a moment, so the first id of a hostname ends its list by the index. The time itself is not looked up in
  // one, because that would find the decisions of all workspaces.
  return sql`select * from (${own} union all
    select found.* from (
      select host, since, (select id from smtp_decisions where at >= since - interval '1 minute' order by at limit 1) as first
        from unnest(${hosts.map(({ host }) => host)}::text[], ${hosts.map(({ since }) => since)}::timestamptz[]) named (host, since)
        offset 0) own
    cross join lateral (select ${columns} from smtp_decisions
      where workspace_id is null and rcpt_to is not null and id >= own.first and at + interval '0' >= own.since
        and left(rtrim(lower(split_part(rcpt_to, '@', -1)), '.'), 255) = own.host and ${where} ${newest}) found) listed`;
}

/**
 * Returns the id of the last decision that a page examines: the last of the list that reaches its share first. Null if the page examines
 * all.
 */
async function findEnd(ctx: Owner, hosts: OwnHost[], below: number | null): Promise<number | null> {
  const where = below === null ? sql`true` : sql`id < ${below}`;
  const most = Math.max(examinedMin, Math.floor(examinedMax / (hosts.length + 1)));
  const { rows } = await sql<{ id: number | null }>`
    select max(id) as id from (${buildLists(ctx, hosts, { columns: sql`id`, where, most, skip: most - 1 })}) ends`.execute(
    acrossWorkspaces(ctx, 'mail for unknown addresses belongs to no workspace'),
  );
  return rows[0]?.id ?? null;
}

/** Returns the conditions of the filters that are set. */
export function buildFilters({
  query,
  verdict,
  inbox_id,
}: Pick<ListDecisions, 'query' | 'verdict' | 'inbox_id'>): RawBuilder<unknown>[] {
  return [
    ...(verdict === undefined ? [] : [sql`verdict in (${sql.join(listVerdicts(verdict))})`]),
    ...(inbox_id === undefined ? [] : [sql`inbox_id = ${inbox_id}`]),
    ...(query === undefined || query === ''
      ? []
      : [
          sql`strpos(lower(concat_ws(chr(10), mail_from, rcpt_to, helo, remote_address, reply)), lower(${query})) > 0`,
        ]),
  ];
}

function listVerdicts(verdict: VerdictFilter): string[] {
  if (verdict === 'failed') return ['refused', 'deferred'];
  return verdict === 'passed' ? ['accepted', 'repeated'] : [verdict];
}

/** Returns the id of a cursor: the list continues below it. */
export function readCursorId(cursor: string): number {
  const [text = ''] = decodeCursor(cursor, 1);
  if (!/^\d{1,15}$/.test(text)) throw invalidField('cursor', 'must be a `next_cursor` of this list');
  return Number(text);
}

/** Returns a decision as the console shows it. */
export function viewDecision({ id, at, workspace_id: _, ...row }: DecisionRow): MailDecision {
  return { id: String(id), at: at.toISOString(), ...row };
}
