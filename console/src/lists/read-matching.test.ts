import { expect, it } from 'vitest';
import { readMatching } from './read-matching.ts';

/** Pages of 10 numbers, from 0 up to an end, and the cursors that were asked for. */
function numbers(end: number) {
  const asked: (string | undefined)[] = [];
  const readPage = async (cursor: string | undefined) => {
    asked.push(cursor);
    const first = Number(cursor ?? 0);
    const items = Array.from({ length: Math.min(10, end - first) }, (_, index) => first + index);
    return { items, next_cursor: first + 10 < end ? String(first + 10) : null };
  };
  return { asked, readPage };
}

it('reads on until there are enough rows, and says where to continue', async () => {
  const { asked, readPage } = numbers(1_000);
  const page = await readMatching(readPage, (value) => value % 2 === 0, undefined);
  expect(page).toEqual({ items: Array.from({ length: 25 }, (_, index) => index * 2), next_cursor: '50' });
  expect(asked).toHaveLength(5);
});

it('gives up after ten pages, so that a rare row does not read the whole list', async () => {
  const { asked, readPage } = numbers(1_000);
  expect(await readMatching(readPage, (value) => value === 150, undefined)).toEqual({
    items: [],
    next_cursor: '100',
  });
  expect(asked).toHaveLength(10);
  const next = await readMatching(readPage, (value) => value === 150, '100');
  expect(next).toEqual({ items: [150], next_cursor: '200' });
});

it('ends with the list', async () => {
  const { readPage } = numbers(14);
  expect(await readMatching(readPage, (value) => value > 12, undefined)).toEqual({
    items: [13],
    next_cursor: null,
  });
});
