import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs/self-hosting/dns-troubleshooting.md'), 'utf8').replaceAll(
  /\s+/g,
  ' ',
);
const domainFiles = ['check-domain.ts', 'domain.view.ts', 'records/*.ts', 'reports/describe-reports.ts'].map(
  (name) => `server/src/domains/${name}`,
);
const sources = globSync([...domainFiles, 'server/src/dns/*.ts'], { cwd: root })
  .filter((path) => !path.endsWith('.test.ts'))
  .sort();
/** Texts of an answer that are not shown to owners. */
const notShown = [
  'The aliases of',
  'lead in a circle',
  'Other name servers have problems',
  "the resolver's answer",
];
/** A part of a text that is at least two words, so that it can be looked for. */
const phrase = /[\p{L}=)]+,? [\p{L}(]+/u;

/** The fixed parts of the texts that a file has for owners of domains: all its sentences, except those for the log. */
const phrasesIn = (path: string): string[] => {
  const found: string[] = [];
  const source = ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && /\blog\.\w+$/.test(node.expression.getText(source))) return;
    const isText =
      ts.isStringLiteral(node) ||
      ts.isNoSubstitutionTemplateLiteral(node) ||
      ts.isTemplateHead(node) ||
      ts.isTemplateMiddle(node) ||
      ts.isTemplateTail(node);
    if (isText && phrase.test(node.text) && !notShown.some((text) => node.text.includes(text)))
      found.push(node.text.trim());
    node.forEachChild(visit);
  };
  visit(source);
  return found;
};

const templates = 'server/src/domains/records/zone-file.ts';
const files = sources.filter((path) => path !== templates).map((path) => [path, phrasesIn(path)] as const);

describe('the page on DNS', () => {
  it('is compared with the texts of the source', () => {
    const all = files.flatMap(([, phrases]) => phrases);
    expect(all).toContain('a revoked key: its p= is empty');
    expect(all).toContain('DKIM keys at one name; keep the expected one');
    expect(all).toContain('did not reply');
  });

  it.each(files.filter(([, phrases]) => phrases.length > 0))('has every text of %s', (_, phrases) => {
    expect(phrases.filter((text) => !page.includes(text))).toEqual([]);
  });
});
