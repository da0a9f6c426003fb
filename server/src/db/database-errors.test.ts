import { describe, expect, test } from 'vitest';
import { FilesFull } from '../files/files.ts';
import { isRolledBack, isTooMuchAtOnce, isUnavailable } from './database-errors.ts';

const withCode = (code: string) => Object.assign(new Error('failed'), { code });

const away: [string, unknown][] = [
  ['a refused connection', withCode('ECONNREFUSED')],
  ['a connection that broke', withCode('ECONNRESET')],
  ['a name that does not resolve now', withCode('EAI_AGAIN')],
  ['a full disk of ours', withCode('ENOSPC')],
  ['a full store', new FilesFull('full')],
  ['connection_failure', withCode('08006')],
  ['too_many_connections', withCode('53300')],
  ['disk_full', withCode('53100')],
  ['admin_shutdown', withCode('57P01')],
  ['cannot_connect_now', withCode('57P03')],
  ['io_error', withCode('58030')],
  ['a deadlock with others', withCode('40P01')],
  ['a failover to a server that only reads', withCode('25006')],
  ['a pool without a free connection', new Error('timeout exceeded when trying to connect')],
  ['a connection that ended under a query', new Error('Connection terminated unexpectedly')],
  [
    'a connection that ended before',
    new Error('Client has encountered a connection error and is not queryable'),
  ],
  ['a connection that was closed', new Error('Client was closed and is not queryable')],
  [
    'every address of a host refused',
    new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')]),
  ],
  ['what the ORM wrapped', new Error('DriverException', { cause: withCode('57P01') })],
];

const broken: [string, unknown][] = [
  ['a syntax error', withCode('42601')],
  ['a unique violation', withCode('23505')],
  ['data that cannot be stored', withCode('22P05')],
  ['an error of Node with a code of the same class', withCode('08')],
  ['a programming error', new TypeError('undefined is not a function')],
  ['something that is no error', { code: '57P01' }],
  ['nothing', null],
];

describe('a database that is away', () => {
  test.each(away)('%s', (_name, error) => {
    expect(isUnavailable(error)).toBe(true);
  });

  test.each(broken)('is not %s', (_name, error) => {
    expect(isUnavailable(error)).toBe(false);
  });
});

test('what the database answers by itself undid the statement, and what ends a connection may not have', () => {
  for (const code of ['22P05', '40P01', '53100', '54000', '57014'])
    expect(isRolledBack(withCode(code)), code).toBe(true);
  for (const code of ['08006', '57P01', '58030', 'XX000', 'EPIPE', 'ECONNRESET'])
    expect(isRolledBack(withCode(code)), code).toBe(false);
  expect(isRolledBack(new Error('Connection terminated unexpectedly'))).toBe(false);
});

test('a deadlock and a full table of locks are too much at once, and a full disk is not', () => {
  for (const code of ['40P01', '53200']) expect(isTooMuchAtOnce(withCode(code)), code).toBe(true);
  for (const code of ['53100', '57P03', '22P05']) expect(isTooMuchAtOnce(withCode(code)), code).toBe(false);
});
