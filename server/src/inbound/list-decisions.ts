/*
 * Decisions are in the order of their ids. A page is made of lists that an index has in this order: the decisions about mail of the
 * workspace, and for each hostname that it owns those about addresses there that lead nowhere. Each is read no further than one page
 * looks.
 */
import { domainToUnicode } from 'node:url';
import type { MailDecision } from '@postrider/contract/console';
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../db/database.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { invalidField } from '../lib/api-error.ts';
import { decodeCursor, encodeCursor } from '../lib/cursor.ts';
import { type Page, pageOf } from '../lib/page.ts';

type DecisionRow = Selectable<Tables['smtp_decisions']>;
type Owner = Pick<Context, 'db' | 'workspaceId'>;

/** Which decisions to list. */
export interface ListDecisions {
  limit: number;
  cursor?: string | undefined;
  /** A part of sender, recipient, host or reply, in upper or lower case. */
  query?: string | undefined;
  verdict?: DecisionRow['verdict'] | undefined;
  inbox_id?: string | undefined;
}

/** How many decisions of the workspace, and of each of its hostnames, a page looks through for those that pass its filters. */
export const examinedMax = 5_000;

/**
 * Returns a page of the decisions on mail for the caller's workspace, newest first, with those on mail for unknown addresses at hostnames
 * that the workspace has proved, from that time on. A page of rare decisions may have fewer than `limit`, or none, and still be followed by
 * another.
 */
export async function listDecisions(ctx: Owner, query: ListDecisions): Promise<Page<DecisionRow>> {
  const { limit, cursor } = query;
  const below = cursor === undefined ? null : idOf(cursor);
  // An unknown address is in no inbox.
  const hosts = query.inbox_id === undefined ? await ownHosts(ctx) : [];
  const filters = filtersOf(query);
  // The end of what is looked through comes first, so that rows that are added meanwhile do not move it.
  const end = filters.length === 0 ? null : await findEnd(ctx, hosts, below);
  const range = sql<SqlBool>`${below === null ? sql`true` : sql`id < ${below}`} and ${end === null ? sql`true` : sql`id >= ${end}`}`;
  const passes = sql.join([range, ...filters], sql` and `);
  const { rows } = await sql<DecisionRow>`
    ${listsOf(ctx, hosts, { columns, where: passes, most: limit + 1 })} order by id desc limit ${limit + 1}`.execute(
    acrossWorkspaces(ctx, 'mail for unknown addresses belongs to no workspace'),
  );
  const page = pageOf(rows, limit, ({ id }) => [String(id)]);
  return end !== null && page.nextCursor === null
    ? { ...page, nextCursor: encodeCursor([String(end)]) }
    : page;
}

const columns = sql`id, at, workspace_id, inbox_id, message_id, session_id, remote_address, helo, mail_from, rcpt_to, verdict, reply`;

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
}

/** Returns the union of the lists, each with its newest rows. */
function listsOf({ workspaceId }: Owner, hosts: OwnHost[], { columns, where, most }: Part) {
  const newest = sql`order by id desc limit ${most}`;
  const own = sql`(select ${columns} from smtp_decisions where workspace_id = ${workspaceId} and ${where} ${newest})`;
  if (hosts.length === 0) return sql`select * from ${own} listed`;
  return sql`select * from (${own} union all
    select found.* from unnest(${hosts.map(({ host }) => host)}::text[], ${hosts.map(({ since }) => since)}::timestamptz[]) own (host, since)
    cross join lateral (select ${columns} from smtp_decisions
      where workspace_id is null and rcpt_to is not null and at >= own.since
        and left(rtrim(lower(split_part(rcpt_to, '@', -1)), '.'), 255) = own.host and ${where} ${newest}) found) listed`;
}

/** Returns the id of the last decision that a page looks at; null if it looks at all. */
async function findEnd(ctx: Owner, hosts: OwnHost[], below: number | null): Promise<number | null> {
  const where = below === null ? sql`true` : sql`id < ${below}`;
  const { rows } = await sql<{ id: number }>`
    ${listsOf(ctx, hosts, { columns: sql`id`, where, most: examinedMax })}
    order by id desc offset ${examinedMax - 1} limit 1`.execute(
    acrossWorkspaces(ctx, 'mail for unknown addresses belongs to no workspace'),
  );
  return rows[0]?.id ?? null;
}

function filtersOf({ query, verdict, inbox_id }: ListDecisions): RawBuilder<unknown>[] {
  return [
    ...(verdict === undefined ? [] : [sql`verdict = ${verdict}`]),
    ...(inbox_id === undefined ? [] : [sql`inbox_id = ${inbox_id}`]),
    ...(query === undefined || query === ''
      ? []
      : [
          sql`strpos(lower(concat_ws(chr(10), mail_from, rcpt_to, helo, remote_address, reply)), lower(${query})) > 0`,
        ]),
  ];
}

function idOf(cursor: string): number {
  const [text = ''] = decodeCursor(cursor, 1);
  if (!/^\d{1,15}$/.test(text)) throw invalidField('cursor', 'must be a `next_cursor` of this list');
  return Number(text);
}

/** Returns a decision as the console shows it. */
export function viewDecision({ id, at, workspace_id: _, ...row }: DecisionRow): MailDecision {
  return { id: String(id), at: at.toISOString(), ...row };
}
