import { expect, test } from 'vitest';
import { judge } from './goal.ts';
import { mergeSections, worstLists } from './write-report.ts';

test('new sections take the place of those with their heading, and others stay', () => {
  const page = mergeSections('', ['## b\n\nold', '## a\n\nkept']);
  expect(page).toMatch(/^# Results\n[\s\S]+\n\n## a\n\nkept\n\n## b\n\nold\n$/);
  const next = mergeSections(page, ['## b\n\nnew', '## c\n\nfirst']);
  expect(next).toMatch(/\n\n## a\n\nkept\n\n## b\n\nnew\n\n## c\n\nfirst\n$/);
  expect(mergeSections(next, [])).toBe(next);
});

test('of lists the slowest that can be judged is shown, by noun and percentile', () => {
  const goal = { id: 'P17.1', unit: '×', better: 'lower', floor: 1.5, target: 1.2 } as const;
  const steady = (what: string, value: number) => judge({ ...goal, what }, [{ value, baseline: 1 }]);
  const restless = judge({ ...goal, what: 'messages, all, p50' }, [
    { value: 9, baseline: 1 },
    { value: 9, baseline: 10 },
  ]);
  const shown = worstLists([
    restless,
    steady('messages, read, p50', 1.1),
    steady('messages, unread, p50', 1.3),
    steady('threads, all, p95', 1),
  ]);
  expect(shown.map(({ id, what, median, note }) => [id, what, median, note])).toEqual([
    ['P17', 'messages, p50', 1.3, 'the slowest of 2 lists, and 1 not judged: messages, unread, p50'],
    ['P17', 'threads, p95', 1, 'the slowest of 1 lists, and 0 not judged: threads, all, p95'],
  ]);
});
