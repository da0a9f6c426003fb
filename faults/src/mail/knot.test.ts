import { expect, test } from 'vitest';
import { startKnot } from './knot.ts';

test('a machine without Knot is told how to install it', async () => {
  const starting = startKnot({ zones: ['example.test'], programs: '/nonexistent' });
  await expect(starting).rejects.toThrow(/apt-get install knot/);
});
