import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { untraced } from './tracing.ts';

test('without traces, a span is a call of its work, which runs at once', async () => {
  let hasRun = false;
  const result = untraced.trace('work', { kind: 'internal' }, async (span) => {
    hasRun = true;
    span.add({ count: 1 });
    span.rename('other');
    span.fail('broken');
    return 'done';
  });
  expect(hasRun).toBe(true);
  expect(await result).toBe('done');
  await expect(
    untraced.trace('work', { kind: 'internal' }, () => Promise.reject(new Error('no'))),
  ).rejects.toThrow('no');
});

test('without traces, nothing is stored, sent on or logged', async () => {
  const emitter = new EventEmitter();
  untraced.bind(emitter);
  expect(Object.keys(emitter)).toEqual(Object.keys(new EventEmitter()));
  expect(untraced.current()).toBeNull();
  expect(untraced.logFields()).toEqual({});
  await untraced.close();
});
