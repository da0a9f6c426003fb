import { domainToASCII, domainToUnicode } from 'node:url';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { encodeCursor, type Page, pageOf } from '../lib/cursor.ts';
import {
  buildFilters,
  decisionColumns,
  examinedMax,
  type ListDecisions,
  readCursorId,
} from './list-decisions.ts';

type DecisionRow = Selectable<Tables['smtp_decisions']>;

/** The host of a recipient, as an index has it. */
const host = sql<string>`left(rtrim(lower(split_part(rcpt_to, '@', -1)), '.'), 255)`;

/** Decisions with this beginning refuse an address that no inbox has (RFC 3463, section 3.2). */
const unknownAddress = '550 5.1.1 ';

/**
 * Returns a page of the refusals of addresses that no inbox of the server has, newest first: mistyped ones, and guesses. Those at a
 * verified hostname of another workspace are left out, because that workspace sees them. The caller must be an operator, because the
 * others belong to no workspace. A page looks through 10,000 decisions at most, so it may have fewer than `limit` and still be followed
 * by another.
 */
export async function listUnknownRecipients(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  { limit, cursor, query }: Pick<ListDecisions, 'limit' | 'cursor' | 'query'>,
): Promise<Page<DecisionRow>> {
  const all = acrossWorkspaces(ctx, 'mail for unknown addresses belongs to no workspace');
  const { rows: ends } = await sql<{ first: number | null; last: number | null }>`
    select min(id) as first, max(id) as last from smtp_decisions`.execute(all);
  const first = Number(ends[0]?.first ?? 0);
  const top = cursor === undefined ? Number(ends[0]?.last ?? 0) + 1 : readCursorId(cursor);
  const end = top - examinedMax;
  const where = sql.join(
    [
      sql`id < ${top}`,
      sql`id >= ${end}`,
      sql`workspace_id is null`,
      sql`rcpt_to is not null`,
      sql`starts_with(reply, ${unknownAddress})`,
      ...buildFilters({ query }),
    ],
    sql` and `,
  );
  const { rows } = await sql<DecisionRow>`
    select ${decisionColumns} from smtp_decisions where ${where} and ${host} <> all(${await otherHosts(ctx, where)}::text[])
    order by id desc limit ${limit + 1}`.execute(all);
  const page = pageOf(rows, limit, ({ id }) => [String(id)]);
  return page.nextCursor === null && end > first
    ? { ...page, nextCursor: encodeCursor([String(end)]) }
    : page;
}

/** Returns the verified hostnames of other workspaces that these decisions name, as mail may name them. */
async function otherHosts(
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  decisions: RawBuilder<unknown>,
): Promise<string[]> {
  const all = acrossWorkspaces(ctx, 'a hostname has one owner over all workspaces');
  const { rows: named } = await sql<{ host: string }>`
    select distinct ${host} as host from smtp_decisions where ${decisions}`.execute(all);
  const hostnames = named.map((row) => domainToASCII(row.host));
  const rows = await all
    .selectFrom('verified_hostnames')
    .select('hostname')
    .where('hostname', '=', sql<string>`any(${hostnames}::text[])`)
    .where('workspace_id', '<>', ctx.workspaceId)
    .execute();
  return rows.flatMap(({ hostname }) => [hostname, domainToUnicode(hostname)]);
}
