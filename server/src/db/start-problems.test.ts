import { describe, expect, test } from 'vitest';
import { portProblem, StartError } from '../lib/start/start-error.ts';
import { postgresProblem } from './database-errors.ts';
import { explainDamage, foreignFiles, lockProblem, startProblem } from './own/own-problem.ts';

const dir = '/no/such/data';
const says = (text: string) => `2026-11-23 07:46:26.653 UTC [42] ${text}\n`;

describe('a database in a folder that does not start', () => {
  // The words are those of Postgres 18 with such a folder.
  test.each([
    [says('FATAL:  could not write lock file "postmaster.pid": No space left on device'), 'its disk is full'],
    [says('FATAL:  could not open file "base/5/1259": Permission denied'), 'this user cannot'],
    [says('FATAL:  could not open file "base/5/1259": No such file or directory'), 'its files are damaged'],
    ['initdb: error: could not create directory "x": Read-only file system', 'this user cannot'],
    ['postgres: could not access the server configuration file', 'its files are damaged'],
  ])('%s is told as: %s', (said, expected) => {
    const { message } = startProblem(dir, said);
    expect(message).toContain(`The database in ${dir} does not start: ${expected}`);
    expect(message).toMatch(/ Cause: \w/);
    expect(message).not.toMatch(/\[42\]|\n/);
  });

  test.each([
    [
      { code: '53100', message: 'could not extend file "base/5/1259": wrote only 4096 of 8192 bytes' },
      'its disk is full',
    ],
    [{ code: '58P01', message: 'could not open file "base/5/1259"' }, 'its files are damaged'],
    [{ code: 'XX001', message: 'invalid page in block 3 of relation base/5/1259' }, 'its files are damaged'],
  ])('%s of a query is told as: %s', (fields, expected) => {
    const error = explainDamage(dir, Object.assign(new Error(fields.message), fields));
    expect(String(error)).toContain(`does not start: ${expected}`);
    expect(String(error)).toContain(`Cause: ${fields.message}`);
  });

  test.each(['EACCES', 'ENOSPC', 'XX000', '23505'])(
    '%s may be about something else and stays as it is',
    (code) => {
      const error = Object.assign(new Error('something else'), { code });
      expect(explainDamage(dir, error)).toBe(error);
    },
  );

  test.each([
    ['ENOSPC', /cannot be locked: its disk is full/],
    ['EACCES', /cannot be locked: this user cannot write there/],
    ['ENOTSUP', /no hard links/],
  ])('%s of its lock is told with the folder', (code, expected) => {
    const { message } = lockProblem(dir, Object.assign(new Error(`${code}: link`), { code }));
    expect(message).toMatch(expected);
    expect(message).toMatch(/^The data folder .* Cause: /);
  });

  test('what Postgres adds to its last words is told as well', () => {
    const said =
      says('FATAL:  database files are incompatible with server') +
      says('DETAIL:  The data directory was initialized by PostgreSQL version 15, which is not compatible.');
    expect(startProblem(dir, said).message).toMatch(/incompatible with server DETAIL: .*version 15/);
  });

  test('files in its place are named, a few of many', () => {
    const names = Array.from({ length: 9 }, (_, i) => `f${i}`);
    expect(foreignFiles(dir, names).message).toContain('(f0, f1, f2, f3, f4 and 4 more) that are not those');
  });

  test('what has been explained stays as it is', () => {
    const known = new StartError('known');
    expect([startProblem(dir, '', known), postgresProblem('postgres://x', known)]).toEqual([known, known]);
  });
});

describe('a Postgres that cannot be used', () => {
  const url = 'postgres://ada:p%40ss@db.example:5432/mail?sslmode=require';
  test.each([
    [{ code: '28P01', message: 'password authentication failed for user "ada" p@ss' }, 'refuses the user'],
    [{ code: '3D000', message: 'database "mail" does not exist' }, 'has no such database'],
    [{ code: '53300', message: 'sorry, too many clients already' }, 'has no connection left'],
    [{ code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND db.example' }, 'cannot be found'],
    [{ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED p%40ss' }, 'cannot be reached'],
  ])('%j is told with what to check, and without the password', ({ code, message }, expected) => {
    const said = postgresProblem(url, Object.assign(new Error(message), { code })).message;
    expect(said).toContain(`Postgres at postgres://ada@db.example:5432/mail (DATABASE_URL) ${expected}`);
    expect(said).not.toMatch(/p@ss|p%40ss/);
  });

  test('a Unix socket is told by its folder', () => {
    const said = postgresProblem(
      'postgres://ada@localhost/mail?host=/run/sockets',
      new Error('gone'),
    ).message;
    expect(said).toContain('Postgres at postgres://ada@/run/sockets/mail (DATABASE_URL)');
  });

  test('several addresses that were tried are one cause', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' });
    const { message } = postgresProblem(url, new AggregateError([refused, refused], ''));
    expect(message).toMatch(/cannot be reached\..* Cause: connect ECONNREFUSED ::1:5432$/);
  });
});

test('an error that is not about the port stays as it is', () => {
  const failed = new Error('failed');
  const place = { host: 'x', port: 1, hostVariable: 'HOST', portVariable: 'PORT' };
  expect(portProblem(place, failed)).toBe(failed);
  const denied = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
  expect(portProblem(place, denied)).toMatchObject({
    message: expect.stringContaining('Set PORT to a port'),
  });
});
