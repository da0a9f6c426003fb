import { dirname, join } from 'node:path/posix';
import ts from 'typescript';
import { findPlace, type Place, partsWithIndex } from './layers.ts';
import type { Check, Finding, SourceFile } from './source-file.ts';
import { findingAt, visit } from './source-file.ts';

interface Import {
  node: ts.Node;
  specifier: string;
  typeOnly: boolean;
  dynamic: boolean;
}

/** Checks imports between the layers of the server, circles within them, and imports between packages. Tests are exempt. */
export const checkImports: Check = (files) => {
  const sources = files.filter(({ tree, isTest }) => tree && !isTest);
  const findings = sources.flatMap((file) => [
    ...checkPart(file),
    ...listImports(file).flatMap((one) => {
      const message = one.specifier.startsWith('.') ? checkRelative(file, one) : checkPackage(file, one);
      return message === null ? [] : [findingAt(file, one.node, message)];
    }),
  ]);
  return [...findings, ...findCircles(sources)];
};

/** Returns every import, export from, dynamic import and import type of a file. */
export function listImports(file: SourceFile): Import[] {
  const found: Import[] = [];
  const add = (node: ts.Node, name: ts.Node | undefined, typeOnly: boolean, dynamic = false) => {
    if (name && ts.isStringLiteralLike(name)) found.push({ node, specifier: name.text, typeOnly, dynamic });
  };
  if (!file.tree) return found;
  visit(file.tree, (node) => {
    if (ts.isImportDeclaration(node)) add(node, node.moduleSpecifier, isTypeOnly(node.importClause));
    if (ts.isExportDeclaration(node)) add(node, node.moduleSpecifier, node.isTypeOnly);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      add(node, node.argument.literal, true);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node, node.arguments[0], false, true);
  });
  return found;
}

function isTypeOnly(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const names = clause.namedBindings;
  return (
    !clause.name &&
    !!names &&
    ts.isNamedImports(names) &&
    names.elements.every((element) => element.isTypeOnly)
  );
}

function serverModule(path: string): string | null {
  return path.startsWith('server/src/') ? path.slice('server/src/'.length).replace(/\.tsx?$/, '') : null;
}

function checkPart(file: SourceFile): Finding[] {
  const module = serverModule(file.path);
  if (module === null || findPlace(module)) return [];
  const message = `${module} is in no layer; add it to scripts/tidy/layers.ts and to the table in docs/adr`;
  return [{ path: file.path, line: 1, message }];
}

/** Returns whether the testkit imports what it tests. The server's package has no names for its parts. */
function isTested(home: string, target: string): boolean {
  return home === 'testkit' && target.startsWith('server/src/');
}

function checkRelative(file: SourceFile, { specifier }: Import): string | null {
  const target = join(dirname(file.path), specifier);
  const home = packageName(file.path);
  if (home !== 'scripts' && home !== packageName(target) && !isTested(home, target))
    return `do not reach into another package by path; import it by its name: ${target}`;
  const from = serverModule(file.path);
  const to = serverModule(target);
  return from === null || to === null ? null : checkLayers(from, to);
}

function checkLayers(from: string, to: string): string | null {
  const [here, there] = [findPlace(from), findPlace(to)];
  if (!here || !there) return null;
  if (here.part === 'mail/' && there.part === 'db/')
    return 'mail/ knows no database; take what it needs as a callback';
  if (isBehindIndex(from, to)) return `${there.part} has one way in; import it from ${there.part}index.ts`;
  return isFree(from, to) || there.level <= here.level
    ? null
    : `${here.part} is in the layer ${here.layer.name} and ${there.part} in ${there.layer.name}, which is higher; move what both need down, or take it as a parameter`;
}

/** Returns whether an import passes by the `index.ts` of a part that has one. */
function isBehindIndex(from: string, to: string): boolean {
  return partsWithIndex.some(
    (part) =>
      to.startsWith(part) && !from.startsWith(part) && to !== `${part}index` && !to.endsWith('.entity'),
  );
}

/** Any file may import an entity and its own folder, and a view another view. */
function isFree(from: string, to: string): boolean {
  if (to.endsWith('.entity') || (from.endsWith('.view') && to.endsWith('.view'))) return true;
  return dirname(from) !== '.' && from.split('/')[0] === to.split('/')[0];
}

/** An import between two parts of one layer. */
interface Edge {
  file: SourceFile;
  node: ts.Node;
  from: string;
  to: string;
}

/** Returns a finding for each import that lies on a circle of parts of one layer. */
function findCircles(files: SourceFile[]): Finding[] {
  const edges = files.flatMap(listEdges);
  const next = new Map<string, Set<string>>();
  for (const { from, to } of edges) next.set(from, (next.get(from) ?? new Set()).add(to));
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    from === to ||
    [...(next.get(from) ?? [])].some((part) => !seen.has(part) && reaches(part, to, seen.add(part)));
  return edges
    .filter(({ from, to }) => reaches(to, from))
    .map(({ file, node, from, to }) =>
      findingAt(
        file,
        node,
        `${from} imports ${to}, which leads back to it: take it as a parameter, or move it`,
      ),
    );
}

function listEdges(file: SourceFile): Edge[] {
  const from = serverModule(file.path);
  const here = from === null ? null : findPlace(from);
  if (from === null || !here || here.layer.open) return [];
  return listImports(file).flatMap(({ node, specifier, typeOnly }) => {
    const to = specifier.startsWith('.') ? serverModule(join(dirname(file.path), specifier)) : null;
    const there: Place | null = to === null ? null : findPlace(to);
    if (to === null || there?.layer !== here.layer || isFree(from, to)) return [];
    return typeOnly && here.layer.byInterface ? [] : [{ file, node, from: here.part, to: there.part }];
  });
}

function checkPackage(file: SourceFile, { specifier, typeOnly, dynamic }: Import): string | null {
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  const rule = packageRules.find(({ files, packages }) => files.test(file.path) && packages.test(name));
  return rule && !(rule.allowType && typeOnly) && !(rule.allowDynamic && dynamic) ? rule.instead : null;
}

interface PackageRule {
  files: RegExp;
  packages: RegExp;
  allowType?: boolean;
  allowDynamic?: boolean;
  instead: string;
}

const packageRules: PackageRule[] = [
  {
    files: /^contract\/src\//,
    packages: /^(?!zod$|@ts-rest\/(core|open-api)$)/,
    instead: 'the contract imports zod and @ts-rest only, so that it runs anywhere',
  },
  {
    files: /^server\/src\/(?!routes\.ts$|http\/router\.ts$)/,
    packages: /^@ts-rest\//,
    allowType: true,
    instead: 'only routes.ts and http/router.ts know ts-rest; use defineRoutes of routes.ts',
  },
  {
    // The tools call the API by the SDK, also where the server itself serves them.
    files: /^server\/src\/(?!mcp\/)/,
    packages: /^(postrider|@postrider\/(server|mcp))$/,
    instead: 'the server is below the SDK and the MCP server; only server/src/mcp and tests use them',
  },
  {
    files: /^server\/src\//,
    packages: /^@postrider\/(embeddings|words-en)$|^@opentelemetry\//,
    allowType: true,
    allowDynamic: true,
    instead: 'the server also runs without this package; import it at the call, with import()',
  },
  {
    files: /^sdk\/src\/(?!program\/)/,
    packages: /^node:/,
    allowType: true,
    allowDynamic: true,
    instead: 'the SDK also runs where there is no Node; import it at the call, with import()',
  },
  {
    files: /^sdk\/src\/(?!calls\/retry\.ts$)/,
    packages: /^(?!node:)/,
    allowType: true,
    instead:
      'the SDK is published with ky alone, which calls/retry.ts uses; take it from src/generated or write it',
  },
  {
    files: /^mcp\/src\//,
    packages: /^@postrider\/(server|console)$/,
    instead: 'the MCP server talks to the API through the SDK',
  },
  {
    files: /^(?!server\/)/,
    packages: /^@postrider\/(server|console)$/,
    instead: 'nothing imports the server; start it as a process',
  },
];

function packageName(path: string): string {
  const [first = '', second = ''] = path.split('/');
  return first === 'examples' ? `examples/${second}` : first;
}
