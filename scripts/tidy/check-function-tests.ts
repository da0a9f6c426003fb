import { dirname } from 'node:path/posix';
import ts from 'typescript';
import { type Finding, type SourceFile, visit } from './source-file.ts';

const folder = 'server/src/db/functions';
const creations = /create or replace function (\w+)\((\) returns trigger)?/g;

/**
 * Checks that every function of the database is called by name in a test with a database beside it. Those of triggers are called by
 * Postgres, so a test only has to name them.
 */
export function checkFunctionTests(files: SourceFile[]): Finding[] {
  const tested = files
    .filter(({ path }) => dirname(path) === folder && path.endsWith('.db.test.ts'))
    .flatMap(listTexts)
    .join('\n');
  return files
    .filter(({ path }) => path.startsWith(`${folder}/`) && path.endsWith('.sql'))
    .flatMap(({ path, text }) =>
      [...text.matchAll(creations)].flatMap(({ index, 1: name = '', 2: ofTrigger }) =>
        isTested(tested, name, ofTrigger !== undefined)
          ? []
          : [{ path, line: text.slice(0, index).split('\n').length, message: messageFor(name) }],
      ),
    );
}

function messageFor(name: string): string {
  return `${name} has no direct test: call it in a *.db.test.ts of this folder`;
}

/** Returns whether the texts of tests call a function. A test that only replaces it does not. */
function isTested(texts: string, name: string, isNameEnough: boolean): boolean {
  return new RegExp(`(?<!function )\\b${name}${isNameEnough ? '\\b' : '\\('}`).test(texts);
}

/** Returns the texts in the code of a file, among which are its statements. Its comments call nothing. */
function listTexts({ tree }: SourceFile): string[] {
  const texts: string[] = [];
  if (tree)
    visit(tree, (node) => {
      if (ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddleOrTemplateTail(node))
        texts.push(node.text);
    });
  return texts;
}
