import type { Plan } from '@postrider/contract';
import { type Selectable, sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../lib/api-error.ts';
import { stripPlusTag } from '../lib/email-address.ts';
import { isId } from '../lib/ids.ts';
import { decideRule, type MatchingRule, patternsFor } from '../rules/decide-rule.ts';
import { addressesToMeasure } from '../workspaces/mail-room.ts';

/** An inbox as a row. */
export type InboxRow = Selectable<Tables['inboxes']>;

/**
 * The caller's inbox with this id, which the request has in `param`.
 *
 * @throws ApiError `not_found` for an id that is malformed, unknown, deleted or another workspace's.
 */
export const getInbox = async (
  ctx: Pick<Context, 'db' | 'workspaceId'>,
  id: string,
  param = 'id',
): Promise<InboxRow> => {
  if (!isId('inb', id)) throw notFound(param);
  const row = await scoped(ctx)
    .selectFrom('inboxes')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw notFound(param);
  return row;
};

/** Where mail to an address goes. */
export interface InboxAddress {
  address: string;
  workspaceId: string;
  inboxId: string;
  isTest: boolean;
  plan: Plan;
  /** Whether its workspace has rules for inbound mail at all. */
  hasInboundRules: boolean;
}

/** Whether mail reaches an inbox without leaving this server: that of a test workspace reaches only those of test workspaces. */
export const isReached = (inbox: { isTest: boolean }, sender: { isTest: boolean }): boolean =>
  inbox.isTest || !sender.isTest;

/** The addresses under which a recipient may have an inbox: its own, and the one without its plus tag. */
export const spellingsOf = (recipient: string): Set<string> => new Set([recipient, stripPlusTag(recipient)]);

/**
 * What was found for a recipient by its spellings. The address itself wins over the one without its plus tag, so that an address
 * that was claimed with a plus would keep its own mail.
 */
export const foundFor = <T>(found: ReadonlyMap<string, T>, recipient: string): T | undefined =>
  found.get(recipient) ?? found.get(stripPlusTag(recipient));

/** A recipient, and who sends: empty for the null sender, which no rule matches. */
export interface Addressing {
  recipient: string;
  sender: string;
}

/** The inbox of a recipient, whether a rule of its workspace blocks the sender, and what `hasMailRoom` asks for. */
export interface Addressee {
  inbox: InboxAddress;
  isBlocked: boolean;
  mailBytes: number | null;
}

/** The live inboxes that recipients reach, in their order; null for none. */
export const findAddressees = async (
  deps: Pick<Deps, 'db'>,
  mails: Addressing[],
): Promise<(Addressee | null)[]> => {
  const patterns = new Map<string, Set<string>>();
  for (const { recipient, sender } of mails)
    for (const spelling of spellingsOf(recipient)) {
      const before = patterns.get(spelling) ?? new Set();
      patterns.set(spelling, before);
      for (const pattern of patternsFor(sender)) before.add(pattern);
    }
  const db = acrossWorkspaces(deps, 'an address leads to its workspace');
  const measured = addressesToMeasure(deps, [...patterns.keys()]);
  const rows = await selectAddresses({ db }, { ...asValues(patterns), measured });
  const found = new Map(rows.map((row) => [row.address, row]));
  return mails.map(({ recipient, sender }) => {
    const row = foundFor(found, recipient);
    return row ? addresseeOf(row, sender) : null;
  });
};

const asValues = (patterns: Map<string, Set<string>>) => ({
  spellings: [...patterns.keys()],
  patterns: JSON.stringify(
    Object.fromEntries([...patterns].map(([spelling, some]) => [spelling, [...some]])),
  ),
});

interface AddressValues {
  spellings: string[];
  patterns: string;
  /** Spellings with which it is read what their workspace stores. */
  measured: string[];
}

interface AddressRow {
  address: string;
  workspace_id: string;
  inbox_id: string;
  is_test: boolean;
  plan: Plan;
  /** Null where it is known well enough. */
  mail_bytes: number | null;
  /** Those that match one of the senders; null where the workspace has no rule for inbound mail. */
  inbound_rules: MatchingRule[] | null;
}

const addresseeOf = (row: AddressRow, sender: string): Addressee => ({
  inbox: {
    address: row.address,
    workspaceId: row.workspace_id,
    inboxId: row.inbox_id,
    isTest: row.is_test,
    plan: row.plan,
    hasInboundRules: row.inbound_rules !== null,
  },
  isBlocked: decideRule(row.inbound_rules ?? [], sender)?.kind === 'block',
  mailBytes: row.mail_bytes === null ? null : Number(row.mail_bytes),
});

// In the order of the index a single entry is read; `exists` would read the rules of others until it comes to one.
const selectAddresses = prepared((db, { spellings, patterns, measured }: AddressValues) =>
  sql<AddressRow>`select a.address, a.workspace_id, a.inbox_id, w.is_test, w.plan,
    case when a.address = any(${measured}::text[]) then mail_bytes_of(a.workspace_id) end as mail_bytes,
    case when (select true from rules where workspace_id = a.workspace_id and direction <> 'outbound'
        order by pattern limit 1) then
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'pattern', pattern)), '[]') from rules
        where workspace_id = a.workspace_id and direction <> 'outbound'
        and pattern = any(array(select jsonb_array_elements_text(${patterns}::jsonb -> a.address)))) end as inbound_rules
    from addresses a join workspaces w on w.id = a.workspace_id
    where a.address = any(${spellings}::text[]) and a.held_until is null`.compile(db),
);
