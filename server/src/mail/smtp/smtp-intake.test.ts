import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MessageIntake, MessageRefused } from './smtp-receive.ts';

/** Sends a text through in pieces of the given sizes and gives what came out, or the refusal's reason. */
async function pass(
  text: string,
  sizes: number[],
  limits = { bytesMax: 10_000, receivedLinesMax: 2 },
): Promise<string> {
  const raw = Buffer.from(text);
  const chunks: Buffer[] = [];
  for (let at = 0, i = 0; at < raw.length; i += 1) {
    const size = sizes[i % sizes.length] ?? 1;
    chunks.push(raw.subarray(at, at + size));
    at += size;
  }
  const intake = new MessageIntake(limits);
  const output = buffer(intake);
  output.catch(() => undefined);
  try {
    await pipeline(Readable.from(chunks), intake);
    return (await output).toString();
  } catch (error) {
    if (error instanceof MessageRefused) return error.reason;
    throw error;
  }
}

test('counts Received lines wherever the pieces are cut, and only in the header', async () => {
  const field = fc.constantFrom(
    'Received: a',
    'received:b',
    'RECEIVED :c',
    'X-Received: d',
    ' Received: folded',
    'Subject: e',
    'Receive',
  );
  const header = fc.array(field, { minLength: 1, maxLength: 12 });
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(header, sizes, fc.constantFrom('\n', '\r\n'), async (fields, cuts, eol) => {
      const text = [...fields, '', 'Received: body', 'Received: body', 'Received: body', ''].join(eol);
      const count = fields.filter((line) => /^received:/i.test(line)).length;
      expect(await pass(text, cuts)).toBe(count > 2 ? 'loop' : text);
    }),
    { numRuns: 200 },
  );
});

test('lets exactly the limit through and not one byte more', async () => {
  expect(await pass('x'.repeat(10_000), [999])).toHaveLength(10_000);
  expect(await pass('x'.repeat(10_001), [999])).toBe('size');
});

test('a header that never ends is not counted for ever', async () => {
  const limits = { bytesMax: 10_000_000, receivedLinesMax: 2 };
  const text = `${'X: y\n'.repeat(300_000)}${'Received: z\n'.repeat(5)}`;
  expect(await pass(text, [65_536], limits)).toHaveLength(text.length);
});
