/*
 * Models copy ids of 30 characters and sometimes get one wrong. If an id does not exist, the caller is told which id it may have meant. A
 * tool that only reads continues with that id and says so. A tool that writes never does.
 */
import { NotFoundError } from 'postrider';
import type { CallContext } from '../context.ts';
import { ToolError } from '../tool-error.ts';
import { isNearly } from './is-nearly.ts';

const kinds = {
  inbox: { field: 'inbox_id', hint: 'Get the id from list_inboxes.' },
  message: { field: 'message_id', hint: 'Get the id from search_messages.' },
  thread: { field: 'thread_id', hint: 'Get the id from list_threads.' },
  draft: { field: 'draft_id', hint: 'Get the id from list_drafts.' },
  domain: { field: 'domain_id', hint: 'Ask the person which domain they mean.' },
  webhook: { field: 'webhook_id', hint: 'Get the id from list_webhooks.' },
  rule: { field: 'rule_id', hint: 'Get the id from list_address_rules.' },
} as const;

/** The kinds of things that tools take ids of. */
export type IdKind = keyof typeof kinds;

/** An id in the arguments of a tool. */
export interface GivenId {
  kind: IdKind;
  id: string;
  /** Whether the tool changes something. If so, it must not guess. */
  writes: boolean;
}

/** Calls `use` with the id. If the id does not exist and the tool only reads, calls `use` with the id that was probably meant. */
export async function withId<T>(
  ctx: CallContext,
  { kind, id, writes }: GivenId,
  use: (id: string) => Promise<T>,
): Promise<T> {
  const given = id.trim();
  try {
    return await use(given);
  } catch (error) {
    if (!isUnknown(error, kind)) throw error;
    const meant = (await recentIds(ctx, kind)).filter((one) => one !== given && isNearly(given, one));
    const [only] = meant;
    if (only === undefined || meant.length > 1 || writes) throw unknown(kind, meant);
    ctx.note(`There is no ${kind} with the id that you gave. This is ${only}, which you probably meant.`);
    return use(only);
  }
}

function isUnknown(error: unknown, kind: IdKind): boolean {
  if (!(error instanceof NotFoundError)) return false;
  const { param } = error as unknown as { param?: unknown };
  return param === 'id' || param === undefined || param === null || param === kinds[kind].field;
}

function unknown(kind: IdKind, meant: string[]): ToolError {
  const { field, hint } = kinds[kind];
  const next =
    meant.length > 0 ? `Did you mean ${meant.slice(0, 3).join(' or ')}? If so, call again with it.` : hint;
  const details = meant.length > 0 ? { did_you_mean: meant.slice(0, 3) } : {};
  return new ToolError('not_found', `${field}: there is no ${kind} with this id.`, next, details);
}

/** Returns the ids of the newest items of a kind. */
async function recentIds({ client, scope, signal }: CallContext, kind: IdKind): Promise<string[]> {
  const [page, few, options] = [{ limit: 100 }, { limit: 25 }, { signal }];
  const allowed = await scope.ids();
  type Found = { id: string; inbox_id?: string }[];
  const ofInboxes = async (list: (inbox: { inbox_id?: string }) => Promise<Found>) =>
    allowed === null ? list({}) : (await Promise.all(allowed.map((inbox_id) => list({ inbox_id })))).flat();
  const lists: Record<IdKind, () => Promise<{ id: string; inbox_id?: string }[]>> = {
    inbox: async () =>
      (await client.inboxes.list(page, options)).inboxes.map(({ id }) => ({ id, inbox_id: id })),
    message: () =>
      ofInboxes(async (inbox) => (await client.messages.list({ ...few, ...inbox }, options)).messages),
    thread: () =>
      ofInboxes(async (inbox) => (await client.threads.list({ ...page, ...inbox }, options)).threads),
    draft: () => ofInboxes(async (inbox) => (await client.drafts.list({ ...few, ...inbox }, options)).drafts),
    domain: async () => (await client.domains.list(page, options)).domains,
    webhook: async () => (await client.webhooks.list(page, options)).webhooks,
    rule: async () => (await client.rules.list(page, options)).rules,
  };
  const found = await lists[kind]();
  return found
    .filter(({ inbox_id }) => allowed === null || inbox_id === undefined || allowed.includes(inbox_id))
    .map(({ id }) => id);
}
