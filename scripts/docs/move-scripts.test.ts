import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { moveScripts } from './move-scripts.ts';

const folder = mkdtempSync(join(tmpdir(), 'moved-scripts-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (head: string, body = '') => {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'a.html'), `<head><title>A</title>${head}</head><body>${body}</body>`);
};

it('scripts inside of a page become a file that it loads first', () => {
  write(
    '<script id="check-dark-mode">dark()</script>\n<script id="check-mac-os">mac()</script>\n<script src="/x.js"></script>',
  );
  moveScripts(folder, '/docs/');
  const [file = ''] = readdirSync(join(folder, 'assets'));
  expect(file).toMatch(/^before-paint\.[\w-]{8}\.js$/);
  expect(readFileSync(join(folder, 'assets', file), 'utf8')).toBe('dark()\n;mac()\n');
  expect(readFileSync(join(folder, 'a.html'), 'utf8')).toBe(
    `<head><title>A</title>\n    <script src="/docs/assets/${file}"></script><script src="/x.js"></script></head><body></body>`,
  );
});

it.each(['<script type="module">a()</script>', '<style>a{}</style>', '<a onclick="a()">a</a>'])(
  'a page with %s fails',
  (body) => {
    write('', body);
    expect(() => moveScripts(folder, '/docs/')).toThrow('a.html has a script or a style sheet inside');
  },
);

it('accepts handlers that a code sample shows', () => {
  write('', '<pre><code> onclick="a()"</code></pre><code>a onclick="b"</code>');
  expect(() => moveScripts(folder, '/docs/')).not.toThrow();
});
