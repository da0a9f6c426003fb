import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackTemplate } from '@postrider/testkit/database/embedded-template.ts';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { StartError } from '../lib/start/start-error.ts';
import { openDatabase } from './database.ts';

const shared = inject('testDatabases');
let dataDir: string;
let folder: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'postrider-embedded-'));
  folder = join(dataDir, 'database');
});

afterEach(() => rm(dataDir, { recursive: true }));

const open = (notices: string[] = []) =>
  openDatabase(
    { dataDir },
    () => {},
    (notice) => notices.push(notice),
  );

const query = async (sql: string): Promise<unknown[]> => {
  const database = await open();
  try {
    return (await database.pool.query(sql)).rows;
  } finally {
    await database.close();
  }
};

const unpack = () =>
  shared.kind === 'embedded' ? unpackTemplate(shared.dumpFile, dataDir) : Promise.resolve();

describe.skipIf(shared.kind === 'postgres')('the embedded database of a folder', () => {
  test('is never made over one without its PG_VERSION, and opens once that is back', async () => {
    await unpack();
    await query('create table kept ()');
    await rename(join(folder, 'PG_VERSION'), join(dataDir, 'away'));
    const before = await readdir(folder);
    await expect(open()).rejects.toThrow(
      /database holds files \(.*\) that are those of a database, but PG_VERSION.*Restore/,
    );
    expect(await readdir(folder)).toEqual(before);
    await rename(join(dataDir, 'away'), join(folder, 'PG_VERSION'));
    expect(await query('select from kept')).toEqual([]);
  });

  test('is never made over other files', async () => {
    await mkdir(folder);
    await writeFile(join(folder, 'photo.jpg'), 'x');
    await expect(open()).rejects.toThrow('holds files (photo.jpg) that are not those of a database');
    expect(await readdir(folder)).toEqual(['photo.jpg']);
  });

  test('is never made where it is missing beside the secret or the files of a server', async () => {
    await writeFile(join(dataDir, 'secret'), 'x');
    await expect(open()).rejects.toThrow(
      /beside its database \(secret\), and its database folder is missing/,
    );
    await mkdir(join(dataDir, 'files', 'wsp_1'), { recursive: true });
    await mkdir(folder);
    await expect(open()).rejects.toThrow(/\(secret, files\).*DATABASE_URL/);
    expect((await readdir(dataDir)).toSorted()).toEqual(['database', 'files', 'secret']);
  });

  test('that is a link to a disk which is away is left alone', async () => {
    await symlink(join(dataDir, 'away'), folder);
    await expect(open()).rejects.toThrow('The embedded database in');
    expect((await readdir(dataDir)).filter((name) => !name.startsWith('database.lock'))).toEqual([
      'database',
    ]);
  });

  test('that is damaged where a table is read is told like one that does not open', async () => {
    await unpack();
    await query('create table kept (a int)');
    await query('insert into kept values (1)');
    const [row] = (await query("select pg_relation_filepath('kept') as path")) as { path: string }[];
    await rm(join(folder, row?.path ?? ''));
    const database = await open();
    const error = await database.pool.query('select * from kept').catch(database.explain);
    await database.close();
    expect(error).toBeInstanceOf(StartError);
    expect(String(error)).toMatch(/it is damaged\. Restore .* Cause: could not open file/);
  });

  test('is made anew beside one whose making was cut off, which is kept', async () => {
    await unpack();
    await writeFile(`${folder}.unfinished`, '');
    const notices: string[] = [];
    await (await open(notices)).close();
    expect(notices.join()).toMatch(/cut off is kept as .*database\.unfinished-/);
    const kept = (await readdir(dataDir)).filter((name) => name.startsWith('database.unfinished'));
    expect(kept).toHaveLength(1);
    expect(await readFile(join(dataDir, kept[0] ?? '', 'PG_VERSION'), 'utf8')).toBe('18\n');
  });

  test('that is damaged is told from one of another version of Postgres, and opens once it is restored', async () => {
    await unpack();
    await query('create table kept ()');
    const copy = join(dataDir, 'copy');
    await cp(folder, copy, { recursive: true });
    const restore = async () => {
      await rm(folder, { recursive: true });
      await cp(copy, folder, { recursive: true });
    };
    await truncate(join(folder, 'global', 'pg_control'), 100);
    await expect(open()).rejects.toThrow(
      /does not open: it is damaged\. Restore .* Cause: PANIC: could not read file/,
    );
    await restore();
    for (const name of await readdir(join(folder, 'pg_wal')))
      if (name.startsWith('0')) await rm(join(folder, 'pg_wal', name));
    await expect(open()).rejects.toThrow(
      /it is damaged\. .* Cause: PANIC: could not locate a valid checkpoint record/,
    );
    await restore();
    await writeFile(join(folder, 'PG_VERSION'), '15\n');
    await expect(open()).rejects.toThrow(
      /another version of Postgres .* Cause: its files are those of Postgres 15/,
    );
    await writeFile(join(folder, 'PG_VERSION'), '');
    await expect(open()).rejects.toThrow('it is damaged');
    await restore();
    expect(await query('select from kept')).toEqual([]);
  });
});
