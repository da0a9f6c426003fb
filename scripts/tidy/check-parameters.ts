import ts from 'typescript';
import type { Check, SourceFile } from './source-file.ts';
import { findInTrees, visit } from './source-file.ts';

/**
 * Checks that SQL which chooses between values says their type. A parameter has no type of its own, and a `case` or `coalesce` of
 * parameters alone is a text, which no column of another type takes: Postgres refuses the statement each time.
 */
export const checkParameters: Check = (files) => findInTrees(files, isOfServer, checkNode);

const advice =
  'all that this SQL chooses from are parameters, and Postgres takes them for texts: give one a type, such as ::timestamptz';

function isOfServer({ path, isTest }: SourceFile): boolean {
  return /^server\/src\//.test(path) && !isTest;
}

function checkNode(node: ts.Node, file: SourceFile): string | null {
  if (!ts.isTaggedTemplateExpression(node) || node.tag.getText().replace(/<.*/s, '') !== 'sql') return null;
  if (ts.isNoSubstitutionTemplateLiteral(node.template)) return null;
  const { head, templateSpans } = node.template;
  let text = head.text;
  for (const { expression, literal } of templateSpans)
    text += `${isSql(expression, file) ? typed : parameter}${literal.text}`;
  return choicesIn(text).some((values) => values.every(isUntyped)) ? advice : null;
}

const parameter = '$1';
/** Stands for SQL that has a type, or whose type is checked where it is written. */
const typed = '§';

function isUntyped(value: string): boolean {
  return /^(\$1|null|'[^']*')$/i.test(value.trim());
}

// From the inside out, since a choice can be a value of another one.
const innermost =
  /\b(?:coalesce|greatest|least|nullif)\s*\(([^()]*)\)|\bcase\b((?:(?!\b(?:case|end)\b)[^()])*)\bend\b|\([^()]*\)/i;

/** Returns for each choice in some SQL that has a parameter among its values all of these. */
function choicesIn(text: string): string[][] {
  const choices: string[][] = [];
  let rest = text;
  for (let found = innermost.exec(rest); found; found = innermost.exec(rest)) {
    const [all, list, branches] = found;
    const values = list?.split(',') ?? listBranches(branches ?? '');
    choices.push(values);
    const isOpen = values.length > 0 && values.every(isUntyped);
    rest = `${rest.slice(0, found.index)} ${isOpen ? parameter : typed} ${rest.slice(found.index + all.length)}`;
  }
  return choices.filter((values) => values.some((value) => value.includes(parameter)));
}

function listBranches(text: string): string[] {
  const branches = text.matchAll(/\b(?:then|else)\b((?:(?!\b(?:when|then|else)\b)[\s\S])*)/gi);
  return [...branches].map(([, value]) => value ?? '');
}

/** Returns whether what is put into SQL is SQL itself: it is written with `sql`, or is made by something in its file that is. */
function isSql(expression: ts.Expression, { tree }: SourceFile): boolean {
  if (/\bsql\b/.test(expression.getText())) return true;
  const made = ts.isCallExpression(expression) ? expression.expression : expression;
  let isMade = false;
  if (tree && ts.isIdentifier(made))
    visit(tree, (node) => {
      const isDeclared =
        ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node) || ts.isParameter(node);
      if (isDeclared && node.name?.getText() === made.text)
        isMade ||= /\bsql\b|RawBuilder|Expression/.test(node.getText());
    });
  return isMade;
}
