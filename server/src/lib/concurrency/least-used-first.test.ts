import { expect, test } from 'vitest';
import { LeastUsedFirst } from './least-used-first.ts';

let now = 0;
const create = () => new LeastUsedFirst<string>({ halfLifeMs: 1_000, nowMs: () => now });

/** Who goes, and for so long each time, until nobody waits. */
const serve = (
  line: LeastUsedFirst<string>,
  tookMs: Record<string, number>,
  shares: Record<string, number> = {},
): string => {
  const served: string[] = [];
  for (let next = line.shift(); next; next = line.shift()) {
    served.push(next.item);
    line.note(next.owner, tookMs[next.owner] ?? 1, shares[next.owner]);
  }
  return served.join(' ');
};

test('who asks often delays another by one item, and who takes long has fewer turns', () => {
  const line = create();
  for (const n of [1, 2, 3, 4]) line.push('often', `o${n}`);
  line.push('rare', 'r1');
  expect(serve(line, {})).toBe('o1 r1 o2 o3 o4');
  const again = create();
  for (const n of [1, 2, 3]) again.push('long', `l${n}`);
  for (const n of [1, 2, 3, 4, 5]) again.push('short', `s${n}`);
  expect(serve(again, { long: 3, short: 1 })).toBe('l1 s1 s2 s3 l2 s4 s5 l3');
});

test('an owner with a larger share has as many times more', () => {
  const line = create();
  for (const n of [1, 2, 3]) line.push('a', `a${n}`);
  for (const n of [1, 2, 3, 4, 5, 6]) line.push('server', `s${n}`);
  expect(serve(line, {}, { server: 4 })).toBe('a1 s1 s2 s3 s4 a2 s5 s6 a3');
});

test('what an owner had is forgotten after a while', () => {
  const line = create();
  line.note('a', 100);
  now += 20_000;
  line.note('b', 1);
  line.push('b', 'b1');
  line.push('a', 'a1');
  expect(serve(line, {})).toBe('a1 b1');
});

test('an item that waits no longer is taken out', () => {
  const line = create();
  for (const item of ['a1', 'a2']) line.push('a', item);
  line.remove('a', 'a1');
  line.remove('b', 'b1');
  line.remove('a', 'a1');
  expect(line.shift()).toEqual({ owner: 'a', item: 'a2' });
  expect(line.shift()).toBeUndefined();
});
