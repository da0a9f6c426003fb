import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import ts from 'typescript';
import { listImports } from './check-imports.ts';
import { type Finding, findInTrees, type SourceFile, visit } from './source-file.ts';

/** Something whose number should sink. Each place is one of it. */
export interface Figure {
  name: string;
  /** The advice for a change that adds one. */
  advice: string;
  places(files: SourceFile[]): Finding[];
}

/** The most source files of a folder. */
export const folderFilesMax = 25;
const smallLines = 60;
const commentCharsMax = 140;

const isSource = ({ path, tree, isTest }: SourceFile) =>
  tree !== null && !isTest && !path.includes('/fixtures/');
const isServer = (file: SourceFile) => isSource(file) && file.path.startsWith('server/src/');
const holdsSql = (file: SourceFile) => isServer(file) || file.path.endsWith('.sql');
const at = (path: string, line: number, message: string): Finding => ({ path, line, message });

/** Returns the figure of each folder that has more files than it may, under the folder's path. */
export function fullFolders(files: SourceFile[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of files.filter(isSource))
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return new Map([...counts].filter(([, count]) => count > folderFilesMax));
}

/** Small files that one file of their own folder alone imports. */
function smallFiles(files: SourceFile[]): Finding[] {
  const importers = new Map<string, Set<string>>();
  for (const file of files.filter(isSource))
    for (const { specifier } of listImports(file)) {
      if (!specifier.startsWith('.')) continue;
      const target = join(dirname(file.path), specifier);
      importers.set(target, (importers.get(target) ?? new Set()).add(file.path));
    }
  const tested = new Set(
    files
      .filter(({ isTest }) => isTest)
      .map(({ path }) => path.replace(/(\.db|\.postgres|\.embedded)*\.test\./, '.')),
  );
  return files.filter(isSource).flatMap(({ path, text }) => {
    const [importer, ...others] = importers.get(path) ?? [];
    const isAlone = importer !== undefined && others.length === 0 && dirname(importer) === dirname(path);
    const isSmall = text.split('\n').length - 1 < smallLines && !tested.has(path);
    return isAlone && isSmall ? [at(path, 1, `only ${importer} uses it`)] : [];
  });
}

/** Returns every match of a pattern in the files, as places. */
function matches(files: SourceFile[], pattern: RegExp): Finding[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(({ index, 0: found }) =>
      at(path, text.slice(0, index).split('\n').length, found.split('\n')[0] ?? ''),
    ),
  );
}

/** Returns the comments of the files. */
function comments(files: SourceFile[]): Finding[] {
  return files
    .filter(({ tree }) => tree !== null)
    .flatMap(({ path, text, tree }) => {
      const found = new Map<number, string>();
      if (tree)
        visit(tree, (node) => {
          for (const { pos, end } of ts.getLeadingCommentRanges(text, node.getFullStart()) ?? [])
            found.set(pos, text.slice(pos, end));
        });
      return [...found].map(([pos, comment]) => at(path, text.slice(0, pos).split('\n').length, comment));
    });
}

const memories = /^(Map|WeakMap|Set|WeakSet)$/;

/** Values of modules that change: they outlive a request, and belong to no server. */
function moduleMemories(files: SourceFile[]): Finding[] {
  return findInTrees(files, isServer, (node) => {
    if (!ts.isVariableStatement(node) || node.parent.kind !== ts.SyntaxKind.SourceFile) return null;
    const [declaration] = node.declarationList.declarations;
    const value = declaration?.initializer;
    const isLet = (node.declarationList.flags & ts.NodeFlags.Let) !== 0;
    const isEmpty =
      value !== undefined &&
      ts.isNewExpression(value) &&
      memories.test(value.expression.getText()) &&
      !value.arguments?.length;
    return isLet || isEmpty ? (declaration?.name.getText() ?? '') : null;
  });
}

/** Descriptions of the contract that say "answer" of the server. */
function answersInDescriptions(): Finding[] {
  const text = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
  return text
    .split('\n')
    .flatMap((line, index) =>
      /"(description|summary)":.*\banswer(s|ed)?\b/i.test(line)
        ? [at('openapi.json', index + 1, line.trim())]
        : [],
    );
}

/** The figures, besides those of folders. */
export const figures: Figure[] = [
  {
    name: 'small files that one file of their folder uses',
    advice: 'put it into the file that uses it, unless it has tests worth keeping apart',
    places: smallFiles,
  },
  {
    name: 'inserts that name no columns',
    advice: 'name the columns, so that a migration may reorder them',
    places: (files) =>
      matches(files.filter(holdsSql), /\binsert into [\w."]+(?: as \w+)?\s+(?:select|values|default)\b/gi),
  },
  {
    name: 'locks without a name',
    advice:
      'name the lock and its place in the order in db/locks.ts, and take it from there or by lock_key()',
    places: (files) =>
      matches(
        files.filter(({ path }) => !/(^|\/)(locks\.ts|lock-key\.sql)$/.test(path)).filter(holdsSql),
        /hashtextextended|advisory_(?:xact_)?lock(?:_shared)?\((?!lock\)|lock_key\()/g,
      ),
  },
  {
    name: 'patches of the pool',
    advice: 'db/connections.ts gives out connections; change it there',
    places: (files) => matches(files.filter(isSource), /\.connect\s*=\s/g),
  },
  { name: 'memories of modules', advice: 'keep it in what belongs to one server', places: moduleMemories },
  {
    name: 'comments that open with What, Who or Whoever',
    advice: 'begin with the subject: a noun, or "Returns"',
    places: (files) =>
      comments(files).filter(({ message }) => /^\/[/*]+\s*(What|Who|Whoever)\b/.test(message)),
  },
  {
    name: 'functions named …Of',
    advice: 'name it by what it returns or does: `listPaths`, not `pathsOf`',
    places: (files) => matches(files.filter(isSource), /\b(?:const|let|function\*?) [a-z]\w*Of\b/g),
  },
  {
    name: 'lines of comments over 140 characters',
    advice: 'break the line, or say less',
    places: (files) =>
      comments(files).flatMap(({ path, line, message }) =>
        message
          .split('\n')
          .flatMap((text, index) =>
            text.length > commentCharsMax ? [at(path, line + index, text.trim())] : [],
          ),
      ),
  },
  {
    name: 'descriptions of the contract that say "answer"',
    advice: 'say "response" and "returns"; people answer, servers respond',
    places: answersInDescriptions,
  },
];
