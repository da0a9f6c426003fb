import { measureCpuMs } from '@postrider/testkit/servers/measure-stall.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonShape } from './json-text.ts';

const none = {
  valuesMax: Number.POSITIVE_INFINITY,
  outsideStringsBytesMax: Number.POSITIVE_INFINITY,
  depthMax: Number.POSITIVE_INFINITY,
};
const problemOf = (text: string, limits: Partial<typeof none>, partBytes = Number.POSITIVE_INFINITY) => {
  const shape = new JsonShape({ ...none, ...limits });
  const bytes = Buffer.from(text);
  let problem: string | null = null;
  for (let at = 0; at < bytes.length && problem === null; at += partBytes)
    problem = shape.add(bytes.subarray(at, at + partBytes));
  return problem;
};
/** The numbers of commas and opening brackets outside strings, and of all that is outside: the slow way. */
const countSlowly = (text: string) => {
  const bare = text.replace(/"(?:[^"\\]|\\.)*"/gsu, '""');
  return { values: bare.replace(/[^,[{]/g, '').length };
};

test('what a text holds is not counted, whatever is escaped in it and wherever it is cut', () => {
  const json = fc.json({
    maxDepth: 4,
    stringUnit: fc.constantFrom('"', '\\', ',', '{', '[', 'a', 'é', '😀', '\n'),
  });
  const long = fc.string({ minLength: 50, maxLength: 300, unit: fc.constantFrom('"', '\\', ',', 'x') });
  fc.assert(
    fc.property(json, long, fc.integer({ min: 1, max: 90 }), (some, text, partBytes) => {
      const whole = JSON.stringify([JSON.parse(some), text]);
      const { values } = countSlowly(whole);
      expect(problemOf(whole, { valuesMax: values }, partBytes)).toBe(null);
      expect(problemOf(whole, { valuesMax: values - 1 }, partBytes)).toMatch(
        /^must have at most \d+ values$/,
      );
    }),
    { numRuns: 2_000, seed: 1 },
  );
});

test('bytes outside strings are counted, quotes are not', () => {
  for (const partBytes of [1, 7, 64, 1_000]) {
    const text = `{"${'a'.repeat(500)}" : "${'\\"'.repeat(200)}",  "b":${'1'.repeat(90)}}`;
    expect(problemOf(text, { outsideStringsBytesMax: 99 }, partBytes)).toBe(null);
    expect(problemOf(text, { outsideStringsBytesMax: 98 }, partBytes)).toBe(
      'must have at most 98 bytes outside strings',
    );
  }
});

test('depth is counted, and going up again gives it back', () => {
  expect(problemOf('[[[]],[[{}]],[[]]]', { depthMax: 4 })).toBe(null);
  expect(problemOf('[[[]],[[{}]],[[]]]', { depthMax: 3 })).toBe('must be at most 3 levels deep');
  expect(problemOf('"[[[["', { depthMax: 1 })).toBe(null);
});

test('the texts of files are those three levels deep', () => {
  const shape = new JsonShape(none);
  shape.add(Buffer.from('{"text":"0123456789","to":["0123456789"],"attachments":[{"content_base64":"QUJD'));
  shape.add(Buffer.from('REVG","filename":"a"}],"headers":{"x":"0123456789"}}'));
  expect(shape.fileTextBytes).toBe(['content_base64"', 'QUJDREVG"', 'filename"', 'a"'].join('').length);
});

test('a text of megabytes costs less than to look at each of its bytes, and one of escapes only a few times as much', () => {
  const cpuMsOf = (text: string, work: (bytes: Buffer) => void) => {
    const bytes = Buffer.from(`{"a":"${text}"}`);
    // The system counts processor time in steps of up to 10 ms.
    return measureCpuMs(() => {
      for (let times = 0; times < 10; times += 1) work(bytes);
    });
  };
  const count = (bytes: Buffer) => {
    const shape = new JsonShape(none);
    for (let at = 0; at < bytes.length; at += 65_536) shape.add(bytes.subarray(at, at + 65_536));
  };
  const lookAtEach = (bytes: Buffer) => {
    let quotes = 0;
    for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === 0x22) quotes += 1;
    expect(quotes).toBeGreaterThan(0);
  };
  const [base64, escapes] = ['QUJD'.repeat(2_000_000), '\\"'.repeat(2_000_000)] as const;
  expect(cpuMsOf(base64, count)).toBeLessThan(cpuMsOf(base64, lookAtEach));
  expect(cpuMsOf(escapes, count)).toBeLessThan(40 * cpuMsOf(escapes, lookAtEach));
});
