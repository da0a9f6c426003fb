import type { Database } from '../../../server/src/db/database.ts';
import { hashBeforeFirst, hashEntry } from '../../../server/src/lib/crypto/hash-entry.ts';
import { newId } from '../../../server/src/lib/ids.ts';

/** Gives a workspace without entries an audit log of so many, in a few statements. Returns the last hash. */
export async function fillAuditLog(
  { db }: Pick<Database, 'db'>,
  workspaceId: string,
  count: number,
): Promise<string> {
  let hash = hashBeforeFirst;
  const rows = Array.from({ length: count }, (_, n) => {
    const at = new Date();
    const columns = {
      workspace_id: workspaceId,
      seq: n + 1,
      id: newId('aud', at),
      action: 'webhook.changed',
      target: `whk_${n}`,
      before: { enabled: true },
      after: { enabled: false, url: 'https://agent.example.com/ü' },
      address: null,
      request_id: null,
      previous_hash: hash,
    };
    const actor = { kind: 'operator' as const, id: null, name: null };
    hash = hashEntry({ ...columns, at: at.toISOString(), actor });
    return { ...columns, at, actor_kind: actor.kind, actor_id: null, actor_name: null, hash };
  });
  for (let start = 0; start < count; start += 1_000)
    await db
      .insertInto('audit_entries')
      .values(rows.slice(start, start + 1_000))
      .execute();
  const ends = { seq: count, hash, removed_seq: 0, removed_hash: hashBeforeFirst };
  await db
    .insertInto('audit_heads')
    .values({ workspace_id: workspaceId, ...ends })
    .execute();
  return hash;
}
