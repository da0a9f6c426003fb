import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildWheel } from './pack-python.mjs';

const { version } = JSON.parse(readFileSync(new URL('../sdk/package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const hasPip = spawnSync('python3', ['-m', 'pip', '--version']).status === 0;
const missing = hasPip ? '' : ' (pip is not here)';

test('the wheel is the same each time', () => {
  expect(buildWheel().content.equals(buildWheel().content)).toBe(true);
  expect(buildWheel().name).toBe(`postrider-${version}-py3-none-any.whl`);
});

test.skipIf(!hasPip)(`pip installs the wheel, and it can be imported${missing}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'wheel-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { name, content } = buildWheel();
  writeFileSync(join(folder, name), content);
  const installed = join(folder, 'installed');
  const python = (...args: string[]) =>
    execFileSync('python3', args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PYTHONPATH: installed },
    });
  python('-m', 'pip', 'install', '--quiet', '--no-index', '--no-deps', '--target', installed, name);
  const program = `
import hashlib, base64, pathlib, importlib.metadata, postrider, postrider.testing, postrider.types, postrider.webhooks
meta = importlib.metadata.distribution("postrider")
assert not meta.requires
for file in meta.files:
    if file.hash is not None:
        digest = base64.urlsafe_b64encode(hashlib.sha256(file.locate().read_bytes()).digest()).rstrip(b"=").decode()
        assert file.hash.value == digest, file
assert (pathlib.Path(postrider.__file__).parent / "py.typed").exists()
print(meta.version, postrider.VERSION)
`;
  expect(python('-c', program).trim()).toBe(`${version} ${version}`);
});
