import ts from 'typescript';
import type { Check, Finding, SourceFile } from './source-file.ts';
import { visit } from './source-file.ts';

/**
 * Checks that there are no unfinished notes, no silenced checks, no paths of one machine, and no registry of one machine in the lockfile.
 */
export const checkWords: Check = (files) => [
  ...files.flatMap(checkComments),
  ...files.filter(({ path }) => !path.startsWith('scripts/tidy/')).flatMap(checkPaths),
  ...files.filter(({ path }) => path === 'pnpm-lock.yaml').flatMap(checkLockfile),
];

const notes: [RegExp, string][] = [
  [/\b(TODO|FIXME|XXX|HACK)\b/, 'finish it, or open an issue; code has no notes to self'],
  [/@ts-(ignore|nocheck)/, 'fix the type; where a test proves that a call is wrong, use @ts-expect-error'],
  [
    /\b(biome|eslint)-(ignore|disable)/,
    'fix what the linter says, or change its rule for all in biome.jsonc',
  ],
];

function checkComments(file: SourceFile): Finding[] {
  return listComments(file).flatMap(({ line, text }) => [
    ...notes
      .filter(([pattern]) => pattern.test(text))
      .map(([, message]) => ({ path: file.path, line, message })),
    ...(/@ts-expect-error/.test(text) && !file.isTest
      ? [{ path: file.path, line, message: '@ts-expect-error is for tests of types; fix the type' }]
      : []),
  ]);
}

/** Returns the comments of a file, each once. */
function listComments({ tree, text }: SourceFile): { line: number; text: string }[] {
  if (!tree) return [];
  const found = new Map<number, { line: number; text: string }>();
  visit(tree, (node) => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of ranges) {
      const line = tree.getLineAndCharacterOfPosition(pos).line + 1;
      found.set(pos, { line, text: text.slice(pos, end) });
    }
  });
  return [...found.values()];
}

const machinePath = /(?<![\w./-])(?:file:\/\/)?\/(?:root|home|Users|work|tmp)\/[\w.-]+/;
// A document may show the output of somebody's machine.
const documentPath = /(?<![\w./-])(?:file:\/\/)?\/(?:root|work|tmp)\/[\w.-]+/;

function checkPaths(file: SourceFile): Finding[] {
  return file.text.split('\n').flatMap((text, index) => {
    const found = (file.path.endsWith('.md') ? documentPath : machinePath).exec(text);
    if (!found) return [];
    const message = `${found[0]} is a path of one machine; use a path relative to the repository, or os.tmpdir()`;
    return [{ path: file.path, line: index + 1, message }];
  });
}

function checkLockfile(file: SourceFile): Finding[] {
  return file.text.split('\n').flatMap((text, index) => {
    if (!/\btarball:|https?:\/\//.test(text) || /^\s*deprecated:/.test(text)) return [];
    const message =
      'the lockfile names a host; install with the default registry, so that it works with any mirror';
    return [{ path: file.path, line: index + 1, message }];
  });
}
