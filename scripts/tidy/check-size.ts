import ts from 'typescript';
import type { Check, Finding, SourceFile } from './source-file.ts';
import { findInTrees, findingAt } from './source-file.ts';

const fileLinesWarn = 250;
const fileLinesMax = 400;
const functionLinesMax = 60;

/** Files up to 400 lines, functions up to 60. */
export const checkSize: Check = (files) => [
  ...files.filter(({ tree }) => tree).flatMap(checkFile),
  ...findInTrees(files, () => true, checkFunction),
];

const checkFile = (file: SourceFile): Finding[] => {
  const lines = file.text.trimEnd().split('\n').length;
  if (lines <= fileLinesWarn || !file.tree) return [];
  const warning = lines <= fileLinesMax;
  const advice = warning ? 'look for a second thing in it' : `split it: the most is ${fileLinesMax}`;
  return [{ ...findingAt(file, file.tree, `has ${lines} lines; ${advice}`), line: 1, warning }];
};

const checkFunction = (node: ts.Node, file: SourceFile): string | null => {
  if (!ts.isFunctionLike(node) || !('body' in node) || !node.body) return null;
  if (file.isTest && isDescribeCallback(node)) return null;
  const lines = linesOf(node, file);
  if (lines <= functionLinesMax) return null;
  return `this function has ${lines} lines; give its steps names of their own: the most is ${functionLinesMax}`;
};

/** The callback of a `describe` is a list of tests, not a function that somebody follows. */
const isDescribeCallback = (node: ts.Node): boolean =>
  ts.isCallExpression(node.parent) && /^describe\b/.test(node.parent.expression.getText());

const linesOf = (node: ts.Node, { tree }: SourceFile): number => {
  if (!tree) return 0;
  const line = (position: number) => tree.getLineAndCharacterOfPosition(position).line;
  return line(node.getEnd()) - line(node.getStart()) + 1;
};
