import { Migration } from '@mikro-orm/migrations';
import { hashBeforeFirst, hashEntry, type UnhashedEntry } from '../../lib/crypto/hash-entry.ts';
import { id } from './0001/columns.ts';

const batchRows = 1_000;

/** An entry from before this migration. */
type UnchainedEntry = Omit<UnhashedEntry, 'seq' | 'previous_hash'>;

/** Chains the entries of the audit log by their hashes, those that are there already too, in the order of their ids. */
export class AuditChain extends Migration {
  override async up(): Promise<void> {
    await this.execute(
      `create table audit_heads (
        ${id('workspace_id')} primary key, seq bigint not null, hash text not null, removed_seq bigint not null,
        removed_hash text not null)`,
    );
    await this.execute(
      `alter table audit_entries add column seq bigint, add column actor_name text, add column previous_hash text,
        add column hash text`,
    );
    await this.#chainEntries();
    await this.execute('alter table audit_entries drop constraint audit_entries_pkey');
    await this.execute(
      `alter table audit_entries alter column seq set not null, alter column previous_hash set not null,
        alter column hash set not null, add primary key (workspace_id, seq)`,
    );
    await this.execute(
      `insert into audit_heads
        select distinct on (workspace_id) workspace_id, seq, hash, 0, '${hashBeforeFirst}' from audit_entries
        order by workspace_id, seq desc`,
    );
  }

  override down(): void {
    this.addSql('drop table audit_heads');
    this.addSql('alter table audit_entries drop constraint audit_entries_pkey');
    this.addSql(
      'alter table audit_entries drop column seq, drop column actor_name, drop column previous_hash, drop column hash',
    );
    this.addSql('alter table audit_entries add primary key (workspace_id, id)');
  }

  async #chainEntries(): Promise<void> {
    let last = { workspace_id: '', id: '', seq: 0, hash: hashBeforeFirst };
    for (;;) {
      const entries = await this.#entriesAfter(last.workspace_id, last.id);
      if (entries.length === 0) return;
      const chained = entries.map((entry) => {
        const { seq, hash } =
          entry.workspace_id === last.workspace_id ? last : { seq: 0, hash: hashBeforeFirst };
        const whole = { ...entry, seq: seq + 1, previous_hash: hash };
        const { workspace_id, id } = entry;
        last = { workspace_id, id, seq: whole.seq, hash: hashEntry(whole) };
        return { ...last, actor_name: entry.actor.name, previous_hash: hash };
      });
      await this.execute(
        `update audit_entries e set (seq, actor_name, previous_hash, hash) = (c.seq, c.actor_name, c.previous_hash, c.hash)
          from jsonb_to_recordset(?::jsonb) as c
            (workspace_id text, id text, seq bigint, actor_name text, previous_hash text, hash text)
          where e.workspace_id = c.workspace_id and e.id = c.id`,
        [JSON.stringify(chained)],
      );
    }
  }

  /** Returns the next entries in the order of workspaces and ids, as they are hashed. */
  async #entriesAfter(workspaceId: string, entryId: string): Promise<UnchainedEntry[]> {
    const rows = await this.execute(
      `select jsonb_build_object('workspace_id', e.workspace_id, 'id', e.id,
          'at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'actor', jsonb_build_object('kind', actor_kind, 'id', actor_id, 'name', email), 'action', action,
          'target', target, 'before', before, 'after', after, 'address', address, 'request_id', request_id) as entry
        from audit_entries e left join people on people.id = actor_id
        where (e.workspace_id, e.id) > (?, ?) order by e.workspace_id, e.id limit ${batchRows}`,
      [workspaceId, entryId],
    );
    return rows.map(({ entry }) => entry as UnchainedEntry);
  }
}
