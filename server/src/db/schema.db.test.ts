import type { EntityProperty } from '@mikro-orm/core';
import { emptyDatabase, type FreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from './database.ts';
import { entities } from './entities.ts';
import { migrate } from './migrate.ts';
import { migrations } from './schema/list.ts';

/** A column as the database has it. */
interface Column {
  table_name: string;
  column_name: string;
  /** Such as `timestamp(3) with time zone`. */
  type: string;
  nullable: boolean;
}

let fresh: FreshDatabase;
let database: Database;
let columns: Column[];

beforeAll(async () => {
  fresh = await emptyDatabase();
  database = await openDatabase(fresh.settings);
});

afterAll(async () => {
  await database.close();
  await fresh.drop();
});

const readColumns = async (): Promise<Column[]> => {
  const { rows } = await database.pool.query(
    `select c.relname as table_name, a.attname as column_name, format_type(a.atttypid, a.atttypmod) as type,
       not a.attnotnull as nullable
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
       and c.relname <> 'mikro_orm_migrations' order by 1, 2`,
  );
  return rows as Column[];
};

/** Types as the database prints them, for those that entities spell in another way. */
const printedTypes: Record<string, string> = {
  'timestamptz(3)': 'timestamp(3) with time zone',
  int: 'integer',
  bigserial: 'bigint',
};

/** Every entity, as the ORM understood it. */
const mapped = () => [...database.orm.getMetadata().getAll().values()];

const entityColumns = (): Column[] =>
  mapped().flatMap((meta) =>
    Object.values(meta.properties as Record<string, EntityProperty>).map((property) => ({
      table_name: meta.tableName,
      column_name: property.fieldNames[0] ?? '',
      type: printedTypes[property.columnTypes[0] ?? ''] ?? property.columnTypes[0] ?? '',
      nullable: property.nullable ?? false,
    })),
  );

const byName = (a: Column, b: Column) =>
  `${a.table_name}.${a.column_name}` < `${b.table_name}.${b.column_name}` ? -1 : 1;

describe('the migrations', () => {
  test('make the schema from nothing, each once and in order', async () => {
    expect(await migrate(database)).toEqual(migrations.map(({ name }) => name));
    columns = await readColumns();
    expect(columns.length).toBeGreaterThan(50);
  });

  test('do nothing the second time', async () => {
    expect(await migrate(database)).toEqual([]);
    expect(await readColumns()).toEqual(columns);
  });

  test('do nothing however many start at once', async () => {
    expect(await Promise.all([1, 2, 3].map(() => migrate(database)))).toEqual([[], [], []]);
  });
});

describe('entities and tables', () => {
  test('have the same columns of the same types', () => {
    expect(entityColumns().sort(byName)).toEqual([...columns].sort(byName));
  });

  test('agree on what identifies a row', async () => {
    const { rows } = await database.pool.query(
      `select conrelid::regclass::text as table_name, array(select attname from pg_attribute
         where attrelid = conrelid and attnum = any(conkey) order by attname)::text[] as columns
       from pg_constraint where contype = 'p' and connamespace = 'public'::regnamespace`,
    );
    const keys = new Map(
      (rows as { table_name: string; columns: string[] }[]).map((row) => [row.table_name, row.columns]),
    );
    expect(mapped()).toHaveLength(entities.length);
    for (const meta of mapped()) {
      const primary = meta.getPrimaryProps().map((property) => property.fieldNames[0] ?? '');
      expect([meta.tableName, keys.get(meta.tableName)]).toEqual([
        meta.tableName,
        // Ids are unique by themselves; keys lead with the workspace so that the data can be divided by it.
        expect.arrayContaining(primary),
      ]);
    }
  });

  test('keep ids in byte order, which is the order of their creation', async () => {
    const { rows } = await database.pool.query(
      `select table_name, column_name from information_schema.columns
       where table_schema = 'public' and table_name <> 'mikro_orm_migrations' and data_type = 'text'
         and (column_name = 'id' or column_name like '%\\_id') and collation_name is distinct from 'C'`,
    );
    // Ids that others give are nothing to order by.
    const foreign = ['provider_message_id', 'client_id', 'session_id', 'request_id', 'content_id'];
    const named = (rows as Column[]).filter(({ column_name }) => !foreign.includes(column_name));
    expect(named).toEqual([]);
  });

  test('pack texts of messages with lz4 where the database has it', async () => {
    const { rows } = await database.pool.query(
      `select attname, 'lz4' = any(enumvals) as has_lz4 from pg_settings
         left join pg_attribute on attrelid = 'messages'::regclass and attcompression = 'l' and not attisdropped
       where name = 'default_toast_compression' order by attname`,
    );
    const columnsPacked = rows[0].has_lz4 ? ['body_html', 'body_text', 'extracted_text'] : [null];
    expect(rows.map(({ attname }) => attname)).toEqual(columnsPacked);
  });

  test('of a workspace lead their key with it', async () => {
    const logs = ['smtp_decisions', 'usage_ledger'];
    const global = [
      'addresses',
      // Those of the operator are of no workspace.
      'admin_tokens',
      'api_keys',
      'api_processes',
      'applied_functions',
      'event_followers',
      'instance',
      'leases',
      'signing_keys',
      'tls_certificates',
      'acme_accounts',
      'acme_challenges',
      // People sign in, and may be in several workspaces.
      'people',
      'person_sessions',
      'password_resets',
      'passkeys',
      'used_tickets',
      'verified_hostnames',
      // A pause may be of the whole server.
      'pauses',
      'workspaces',
      'spooled_mail',
      ...logs,
    ];
    const { rows } = await database.pool.query(
      `select c.relname as table_name, a.attname as first from pg_index i join pg_class c on c.oid = i.indrelid
       join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
       where i.indisprimary and c.relnamespace = 'public'::regnamespace`,
    );
    const others = (rows as { table_name: string; first: string }[]).filter(
      ({ table_name, first }) => first !== 'workspace_id' && table_name !== 'mikro_orm_migrations',
    );
    expect(others.map(({ table_name }) => table_name).sort()).toEqual([...global].sort());
  });
});
