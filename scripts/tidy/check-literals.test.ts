import { describe, expect, it } from 'vitest';
import { checkLiterals } from './check-literals.ts';
import { parseSource } from './source-file.ts';

const count = (path: string, text: string): number => checkLiterals([parseSource(path, text)]).length;

describe('error statuses', () => {
  const inServer = (text: string) => count('server/src/messages/x.ts', text);

  it('are refused where they are set or compared', () => {
    expect(inServer('res.status(404).end();')).toBe(1);
    expect(inServer('res.sendStatus(500);')).toBe(1);
    expect(inServer('res.writeHead(413, {});')).toBe(1);
    expect(inServer('return { status: 409, body };')).toBe(1);
    expect(inServer('if (error.statusCode === 404) return;')).toBe(1);
    expect(inServer('res.status(ready ? 200 : 503);')).toBe(1);
  });

  it('are other numbers elsewhere: SMTP replies, sizes, statuses of success', () => {
    expect(
      inServer("const reply = { code: 550, enhanced: '5.1.1' }; const max = 500; res.status(201);"),
    ).toBe(0);
    expect(count('server/src/http/errors.ts', 'res.status(500)')).toBe(0);
    expect(count('server/src/messages/x.test.ts', 'expect(res.status).toBe(404); f({ status: 404 })')).toBe(
      0,
    );
  });
});

describe('the brand', () => {
  const inServer = (text: string) => count('server/src/messages/x.ts', text);

  it('is refused in strings and templates of the packages', () => {
    expect(inServer("const name = 'x-postrider-event';")).toBe(1);
    expect(inServer("const name = 'POSTRIDER_SECRET is missing';")).toBe(1);
    expect(inServer('const name = `$' + '{a} of Postrider`;')).toBe(1);
    expect(inServer("const prefix = 'pr_live_';")).toBe(1);
  });

  it('is fine in imports, class names, comments, its own file, the settings and tests', () => {
    expect(inServer("import { brand } from '@postrider/contract';")).toBe(0);
    expect(inServer("// Postrider\nclass A { name = 'PostriderError' }")).toBe(0);
    expect(count('contract/src/brand.ts', "const product = 'Postrider';")).toBe(0);
    expect(count('server/src/config/config.ts', "const a = 'POSTRIDER_SECRET';")).toBe(0);
    expect(count('server/src/messages/x.test.ts', "const a = 'postrider.test';")).toBe(0);
    expect(count('scripts/x.ts', "const a = 'postrider';")).toBe(0);
  });
});
