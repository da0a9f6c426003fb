import type { Plan } from '@postrider/contract';
import { type Selectable, sql } from 'kysely';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces, type RowsContext, scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../lib/api-error.ts';
import { spellingsOf, stripPlusTag } from '../lib/email-address.ts';
import { isId } from '../lib/ids.ts';
import { decideRule, type MatchingRule, patternsFor } from '../rules/decide-rule.ts';
import { addressesToMeasure } from '../workspaces/usage.ts';

/** An inbox as a row. */
export type InboxRow = Selectable<Tables['inboxes']>;

/**
 * Returns the caller's inbox with this id, which is the parameter `param` of the request.
 *
 * @throws ApiError `not_found` for an id that is malformed, unknown, deleted or another workspace's.
 */
export async function getInbox(ctx: RowsContext, id: string, param = 'id'): Promise<InboxRow> {
  if (!isId('inb', id)) throw notFound(param);
  const row = await scoped(ctx)
    .selectFrom('inboxes')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw notFound(param);
  return row;
}

/** The inbox for mail to an address. */
export interface InboxAddress {
  address: string;
  workspaceId: string;
  inboxId: string;
  isTest: boolean;
  plan: Plan;
  /** Whether its workspace has any rules for inbound mail. */
  hasInboundRules: boolean;
}

/** Returns whether mail reaches an inbox without leaving this server. Mail of a test workspace reaches only inboxes of test workspaces. */
export function isReached(inbox: { isTest: boolean }, sender: { isTest: boolean }): boolean {
  return inbox.isTest || !sender.isTest;
}

/**
 * Returns the entry that was found for a recipient by its spellings. The address itself wins over the one without its plus tag, so that an
 * address that was claimed with a plus keeps its own mail.
 */
export function foundFor<T>(found: ReadonlyMap<string, T>, recipient: string): T | undefined {
  return found.get(recipient) ?? found.get(stripPlusTag(recipient));
}

/** A recipient and the sender, which is empty for the null sender. No rule matches that. */
export interface Addressing {
  recipient: string;
  sender: string;
}

/** The inbox of a recipient, whether a rule of its workspace blocks the sender, and the stored bytes that `hasMailRoom` needs. */
export interface Addressee {
  inbox: InboxAddress;
  isBlocked: boolean;
  mailBytes: number | null;
}

/** Returns the live inboxes that recipients reach, in the order of the recipients; null for a recipient without one. */
export async function findAddressees(
  deps: Pick<Deps, 'db' | 'memory'>,
  mails: Addressing[],
): Promise<(Addressee | null)[]> {
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
    return row ? toAddressee(row, sender) : null;
  });
}

function asValues(patterns: Map<string, Set<string>>) {
  return {
    spellings: [...patterns.keys()],
    patterns: JSON.stringify(
      Object.fromEntries([...patterns].map(([spelling, some]) => [spelling, [...some]])),
    ),
  };
}

interface AddressValues {
  spellings: string[];
  patterns: string;
  /** The spellings for which the stored bytes of their workspace are read. */
  measured: string[];
}

interface AddressRow {
  address: string;
  workspace_id: string;
  inbox_id: string;
  is_test: boolean;
  plan: Plan;
  /** Null if a recent figure is known already. */
  mail_bytes: number | null;
  /** The rules that match one of the senders; null if the workspace has no rule for inbound mail. */
  inbound_rules: MatchingRule[] | null;
}

function toAddressee(row: AddressRow, sender: string): Addressee {
  return {
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
  };
}

// In the order of the index only one entry is read. `exists` might read the rules of other workspaces first.
const selectAddresses = prepared((db, { spellings, patterns, measured }: AddressValues) =>
  sql<AddressRow>`select a.address, a.workspace_id, a.inbox_id, w.is_test, w.plan,
    case when a.address = any(${measured}::text[]) then mail_bytes_of(a.workspace_id) end as mail_bytes,
    case when (select true from rules where workspace_id = a.workspace_id and direction <> 'outbound'
        order by pattern limit 1) then
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'pattern', pattern)), '[]') from rules
        where workspace_id = a.workspace_id and direction <> 'outbound'
        and pattern = any(array(select jsonb_array_elements_text(${patterns}::jsonb -> a.address)))) end as inbound_rules
    from addresses a join workspaces w on w.id = a.workspace_id and w.deleted_at is null
    where a.address = any(${spellings}::text[]) and a.held_until is null`.compile(db),
);
