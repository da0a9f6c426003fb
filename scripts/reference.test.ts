import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contract, errorCodes, listRoutes } from '../contract/src/index.ts';
import { allPages } from './reference/all-pages.ts';

const pages = new Map(allPages().map(({ path, text }) => [path.replace('docs/reference/', ''), text]));

function listAnchors(text: string): string[] {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return headings.map((heading) => heading.replace(/[^\w\- ]/g, '').replaceAll(' ', '-'));
}

describe('the reference', () => {
  it.each([...pages.keys()])(
    '%s is what the contract says now (else run node scripts/reference.ts)',
    (file) => {
      const committed = readFileSync(new URL(`../docs/reference/${file}`, import.meta.url), 'utf8');
      expect(committed).toBe(pages.get(file));
    },
  );

  it('has every route and every error', () => {
    const text = [...pages.values()].join('\n');
    for (const { name } of listRoutes(contract)) expect(text).toContain(`in the SDK \`${name}\``);
    for (const code of errorCodes) expect(pages.get('errors.md')).toContain(`\n## ${code}\n`);
  });

  it('shows each route with curl, the SDK and Python', () => {
    const routes = [...pages.values()].flatMap((text) =>
      text.split(/^## /m).filter((part) => part.includes('in the SDK')),
    );
    expect(routes).toHaveLength(listRoutes(contract).length);
    for (const route of routes)
      expect(route).toMatch(/```sh\ncurl .*?```\n\n```js\n.*?```\n\n```python\nclient\.\w+\.\w+\(/s);
  });

  it('calls methods of the Python client with the arguments that they take', () => {
    const python = new URL('../python/postrider/_generated/resources.py', import.meta.url);
    const methods = readFileSync(python, 'utf8');
    const calls = [...pages.values()].flatMap((text) => [
      ...text.matchAll(/^```python\nclient\.(\w+)\.(\w+)\((.*?)\)\n```$/gms),
    ]);
    expect(calls).toHaveLength(listRoutes(contract).length);
    for (const [call, resource = '', method, given = ''] of calls) {
      const kind = `class ${resource.charAt(0).toUpperCase()}${resource.slice(1)}Methods(`;
      const rest = methods.slice(methods.indexOf(kind));
      const signature = rest.slice(rest.indexOf(`def ${method}(`)).split('->')[0];
      for (const [, name] of given.matchAll(/^ {4}(\w+)=/gm)) expect(signature, call).toContain(`${name}: `);
    }
  });

  it('has no link that leads nowhere', () => {
    for (const [file, text] of pages) {
      for (const [link, target, anchor] of text.matchAll(/\]\(([\w.]*)(?:#([\w-]+))?\)/g)) {
        const page = pages.get(target || file);
        expect(page, `${link} in ${file}`).toBeDefined();
        if (anchor !== undefined) expect(listAnchors(page ?? ''), `${link} in ${file}`).toContain(anchor);
      }
    }
  });

  it('describes every object that it names', () => {
    for (const [file, text] of pages) {
      const bare = [...text.matchAll(/(?:list of |: )([A-Z][a-z]+[A-Z]\w+)/g)].map(([, name]) => name);
      expect(bare, file).toEqual([]);
    }
  });
});
