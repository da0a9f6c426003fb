import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listChanged, tiersForChange } from './changed.ts';

describe('listChanged', () => {
  const folder = mkdtempSync(join(tmpdir(), 'changed-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const commit = (message: string) => {
    git('add', '-A');
    git('commit', '-m', message);
  };

  beforeAll(() => {
    git('init', '-b', 'main');
    for (const name of ['kept.ts', 'edited.ts', 'staged.ts', 'deleted.ts', 'ä b.ts']) write(name, 'one');
    write('.gitignore', 'ignored.ts\n');
    commit('first');
    git('checkout', '-b', 'branch');
    write('committed.ts', 'one');
    commit('second');
    git('checkout', 'main');
    write('of-main.ts', 'one');
    commit('third');
    git('checkout', 'branch');
    write('edited.ts', 'two');
    write('staged.ts', 'two');
    write('ä b.ts', 'two');
    git('add', 'staged.ts');
    rmSync(join(folder, 'deleted.ts'));
    mkdirSync(join(folder, 'new'));
    write('new/file.ts', 'one');
    write('ignored.ts', 'one');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const uncommitted = ['deleted.ts', 'edited.ts', 'new/file.ts', 'staged.ts', 'ä b.ts'];

  it('takes everything since the branch left main', () => {
    expect(listChanged(folder)).toEqual(['committed.ts', ...uncommitted]);
  });

  it('compares with a commit that is named', () => {
    expect(listChanged(folder, 'HEAD')).toEqual(uncommitted);
    expect(() => listChanged(folder, 'none')).toThrow('Git knows no commit none');
  });

  it('asks for a commit if there is no main', () => {
    git('branch', '-m', 'main', 'other');
    expect(() => listChanged(folder)).toThrow('Name a commit');
  });
});

describe('tiersForChange', () => {
  const existing = [
    'server/src/messages/send-message.ts',
    'server/src/messages/send-message.test.ts',
    'server/src/messages/list-messages.db.test.ts',
    'server/src/drafts/draft.db.test.ts',
    'server/test/spec/messages/messages-send.spec.ts',
    'server/test/spec/control/send-message.spec.ts',
    'server/test/spec/drafts/drafts.spec.ts',
    'contract/src/drafts.ts',
  ];
  const chosen = (...changed: string[]) =>
    Object.fromEntries(
      tiersForChange(changed, existing).map(({ name, limits }) => [name, limits?.tests ?? 'all']),
    );

  it('runs what is close to a source file', () => {
    expect(chosen('server/src/messages/send-message.ts')).toEqual({
      types: 'all',
      format: 'all',
      tidy: 'all',
      unused: 'all',
      unit: ['related', '--run', 'server/src/messages/send-message.ts'],
      database: [
        'run',
        'server/src/messages/list-messages.db.test.ts',
        'server/test/spec/control/send-message.spec.ts',
        'server/test/spec/messages/messages-send.spec.ts',
      ],
    });
  });

  it('runs of changed tests nothing but themselves', () => {
    const test = 'server/src/drafts/draft.db.test.ts';
    expect(chosen(test).database).toEqual(['run', test]);
    expect(chosen('server/src/messages/send-message.test.ts').database).toBeUndefined();
  });

  it('runs the tests of a folder from which a file was deleted', () => {
    const { unit, database } = chosen('server/src/drafts/gone.ts');
    expect(unit).toBeUndefined();
    expect(database).toEqual([
      'run',
      'server/src/drafts/draft.db.test.ts',
      'server/test/spec/drafts/drafts.spec.ts',
    ]);
  });

  it('checks the packages if something that is published changed', () => {
    expect(chosen('contract/src/drafts.ts')).toMatchObject({
      generated: 'all',
      packages: 'all',
      database: ['run', 'server/test/spec/drafts/drafts.spec.ts'],
    });
  });

  it('checks only words of a document', () => {
    expect(chosen('server/README.md')).toEqual({ tidy: 'all', generated: 'all' });
  });

  it('runs everything if the dependencies or the set-up of the tests changed', () => {
    expect(chosen('pnpm-lock.yaml')).toMatchObject({ unit: 'all', database: 'all', packages: 'all' });
    expect(chosen()).toEqual({});
  });
});
