import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
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
    const testing = JSON.stringify(new URL('../testing.ts', import.meta.url));
    const program = `const { startServer } = await import(${testing});
      await startServer().catch(({ message }) => console.log(message));`;
    // In a folder and an environment where no package of the workspace is found.
    const options = { cwd: tmpdir(), env: { PATH: process.env.PATH } };
    const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, options);
    expect(stdout).toContain('The package @postrider/server is not installed here');
  });
});
