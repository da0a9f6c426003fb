import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readChanges } from './read-changes.ts';

const root = mkdtempSync(join(tmpdir(), 'changes-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('lists what is not released, by packages, and then the versions of each package', () => {
  mkdirSync(join(root, '.changeset'));
  mkdirSync(join(root, 'server'));
  expect(readChanges(root)).toBe('');
  writeFileSync(
    join(root, '.changeset', 'b.md'),
    '---\n"one": minor\n"two": minor\n---\n\nB is new.\n\nFor a reason\nof two lines.\n',
  );
  writeFileSync(join(root, '.changeset', 'a.md'), '---\n"one": patch\n---\n\nA is right.\n');
  writeFileSync(join(root, '.changeset', 'config.json'), '{}');
  writeFileSync(join(root, 'server', 'CHANGELOG.md'), '# server\n\n## 1.0.0\n\n### Minor Changes\n\n- C\n');
  expect(readChanges(root)).toBe(
    '## Not released yet\n\n- `one`: A is right.\n\n- `one`, `two`: B is new.\n\n  For a reason\n  of two lines.\n\n\n## @postrider/server\n\n### 1.0.0\n\n#### Minor Changes\n\n- C',
  );
});
