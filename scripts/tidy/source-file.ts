import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A file as the checks see it. */
export interface SourceFile {
  /** From the root of the repository, with `/`. */
  path: string;
  text: string;
  /** The syntax tree; null where the file is no TypeScript or JavaScript. */
  tree: ts.SourceFile | null;
  isTest: boolean;
}

/** One thing to change; a warning does not fail the check. */
export interface Finding {
  path: string;
  line: number;
  message: string;
  warning?: boolean;
}

/** A group of rules over all files. */
export type Check = (files: SourceFile[]) => Finding[];

const codeFile = /\.(ts|tsx|mts|mjs|js)$/;
const textFile = /\.(ts|tsx|mts|mjs|js|md|yml|yaml|json|jsonc|sh)$/;
const testFile = /\.(test|spec)\.tsx?$|(^|\/)test\//;
const foreign = /(^|\/)(node_modules|dist|coverage|generated|\.git|data|__toolsnaps__)(\/|$)/;
const generatedFiles = ['openapi.json'];

/** Reads every file that people write; what scripts generate is left out. */
export const readSources = (rootFolder: string): SourceFile[] => {
  const hidden = ['.ci/**/*', '.github/**/*', '.changeset/**/*'];
  return globSync(['**/*', ...hidden], {
    cwd: rootFolder,
    withFileTypes: true,
    exclude: (entry) => foreign.test(entry.name),
  })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name).slice(rootFolder.length).replaceAll('\\', '/').replace(/^\//, ''),
    )
    .filter(
      (path) => textFile.test(path) && !path.startsWith('docs/reference/') && !generatedFiles.includes(path),
    )
    .sort()
    .map((path) => parseSource(path, readFileSync(join(rootFolder, path), 'utf8')));
};

/** Makes a source file of a text, for `readSources` and for tests of the checks. */
export const parseSource = (path: string, text: string): SourceFile => ({
  path,
  text,
  tree: codeFile.test(path) ? ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) : null,
  isTest: testFile.test(path),
});

/** Visits a node and everything in it. */
export const visit = (node: ts.Node, see: (node: ts.Node) => void): void => {
  see(node);
  node.forEachChild((child) => visit(child, see));
};

/** A finding at a node of the file. */
export const findingAt = (file: SourceFile, node: ts.Node, message: string): Finding => ({
  path: file.path,
  line: lineOf(node),
  message,
});

/** The line where a node starts, counted from 1. */
export const lineOf = (node: ts.Node): number =>
  node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;

/** Runs `see` on every node of every code file that `wanted` takes, and collects what it finds. */
export const findInTrees = (
  files: SourceFile[],
  wanted: (file: SourceFile) => boolean,
  see: (node: ts.Node, file: SourceFile) => string | null,
): Finding[] => {
  const findings: Finding[] = [];
  for (const file of files) {
    if (!file.tree || !wanted(file)) continue;
    visit(file.tree, (node) => {
      const message = see(node, file);
      if (message !== null) findings.push(findingAt(file, node, message));
    });
  }
  return findings;
};
