import { describe, expect, it } from 'vitest';
import { PostriderError } from '../index.ts';
import { startServer } from '../testing.ts';

describe('a server that is not there', () => {
  it('is told by its folder', async () => {
    const start = startServer({ folder: './nowhere' });
    await expect(start).rejects.toThrow(PostriderError);
    await expect(start).rejects.toThrow(/There is no server in .*nowhere/);
  });

  it('is told as the package that is missing', async () => {
    await expect(startServer()).rejects.toThrow('There is no package @postrider/server here');
  });
});
