import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** A file for the checks. */
export interface SourceFile {
  /** The path from the root of the repository, with `/`. */
  path: string;
  text: string;
  /** The syntax tree; null if the file is neither TypeScript nor JavaScript. */
  tree: ts.SourceFile | null;
  isTest: boolean;
}

/** One thing to change. */
export interface Finding {
  path: string;
  line: number;
  message: string;
}

/** A group of rules over all files. */
export type Check = (files: SourceFile[]) => Finding[];

const codeFile = /\.(ts|tsx|mts|mjs|js)$/;
const textFile = /\.(ts|tsx|mts|mjs|js|sql|md|yml|yaml|json|jsonc|sh)$/;
const testFile = /\.(test|spec)\.tsx?$|(^|\/)test\//;
const foreign = /(^|\/)(node_modules|dist|coverage|generated|\.git|data|__toolsnaps__)(\/|$)/;
const generatedFiles = ['openapi.json', 'management.openapi.json'];

/** Returns every file that people write. Files that scripts generate are left out. */
export function readSources(rootFolder: string): SourceFile[] {
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
}

/** Creates a source file from a text, for `readSources` and for tests of the checks. */
export function parseSource(path: string, text: string): SourceFile {
  return {
    path,
    text,
    tree: codeFile.test(path) ? ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) : null,
    isTest: testFile.test(path),
  };
}

/** Visits a node and everything in it. */
export function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node);
  node.forEachChild((child) => visit(child, see));
}

/** Creates a finding at a node of the file. */
export function findingAt(file: SourceFile, node: ts.Node, message: string): Finding {
  return {
    path: file.path,
    line: lineNumber(node),
    message,
  };
}

/** Returns the line on which a node starts, counted from 1. */
export function lineNumber(node: ts.Node): number {
  return node.getSourceFile().getLineAndCharacterOfPosition(node.getStart()).line + 1;
}

/** Runs `see` on every node of every code file for which `wanted` returns true. Returns the findings. */
export function findInTrees(
  files: SourceFile[],
  wanted: (file: SourceFile) => boolean,
  see: (node: ts.Node, file: SourceFile) => string | null,
): Finding[] {
  const findings: Finding[] = [];
  for (const file of files) {
    if (!file.tree || !wanted(file)) continue;
    visit(file.tree, (node) => {
      const message = see(node, file);
      if (message !== null) findings.push(findingAt(file, node, message));
    });
  }
  return findings;
}
