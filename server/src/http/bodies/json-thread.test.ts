import { afterEach, expect, test } from 'vitest';
import { isApiError } from '../../lib/api-error.ts';
import { JsonThread, jsonThreadLimits } from './json-thread.ts';

const threads: JsonThread[] = [];
const start = (options = {}) => {
  const thread = new JsonThread({ ...jsonThreadLimits, ...options });
  threads.push(thread);
  return thread;
};
afterEach(() => Promise.all(threads.splice(0).map((thread) => thread.close())));

test.each([
  '{"a":[1,"é😀",null,{"b":true}],"__proto__":{"c":1},"a":2}',
  '\ufeff{"marked":1}',
  'null',
  '',
  `{"text":"${'x'.repeat(3_000_000)}"}`,
])('says what JSON.parse says of %.40s', async (text) => {
  const value = await start().parse(Buffer.from(text));
  const expected = text === '' ? {} : JSON.parse(text.replace('\ufeff', ''));
  expect(value).toEqual(expected);
  expect(Object.keys(value ?? {})).toEqual(Object.keys(expected ?? {}));
});

test.each([
  ['not JSON', '{"a":'],
  ['nested a million times', '['.repeat(1_000_000) + ']'.repeat(1_000_000)],
])('a body that is %s is malformed, and the next one is read', async (_, text) => {
  const thread = start();
  await expect(thread.parse(Buffer.from(text))).rejects.toSatisfy((error) =>
    isApiError(error, 'malformed_json'),
  );
  expect(await thread.parse(Buffer.from('1'))).toBe(1);
});

test('a body that takes too much memory is refused, and those beside it are read', async () => {
  const thread = start({ heapMb: 16 });
  const large = Buffer.from(`[${'{},'.repeat(1_000_000)}1]`);
  const [before, refused, after] = await Promise.allSettled(
    [Buffer.from('1'), large, Buffer.from('2')].map((bytes) => thread.parse(bytes)),
  );
  expect([before, after]).toMatchObject([{ value: 1 }, { value: 2 }]);
  expect(refused).toMatchObject({ reason: { code: 'payload_too_large' } });
});
