import ts from 'typescript';
import type { Check, SourceFile } from './source-file.ts';
import { findInTrees, visit } from './source-file.ts';

/** Checks that every query says whose rows it wants: `scoped(ctx)` or `acrossWorkspaces(ctx, 'why')`. */
export const checkQueries: Check = (files) => findInTrees(files, isOutsideOfDb, checkNode);

// The two ways are defined in db/, and pg-boss has its own statements.
function isOutsideOfDb({ path, isTest }: SourceFile): boolean {
  return /^server\/src\/(?!db\/|jobs\/)/.test(path) && !isTest;
}

const ways = /^(scoped|acrossWorkspaces)$/;
const builders = /^(selectFrom|updateTable|deleteFrom|mergeInto)$/;
const rawAdvice =
  'go through scoped(ctx) or acrossWorkspaces(ctx, why); only db/ talks to the database itself';

function checkNode(node: ts.Node, file: SourceFile): string | null {
  if (!ts.isCallExpression(node)) return null;
  const { expression } = node;
  if (ts.isIdentifier(expression) && expression.text === 'acrossWorkspaces') return checkReason(node);
  if (!ts.isPropertyAccessExpression(expression)) return null;
  const name = expression.name.text;
  const source = expression.expression;
  if (name === 'getKysely' || (name === 'query' && /(pool|client)$/i.test(source.getText())))
    return rawAdvice;
  if (/(^|\.)em$/.test(source.getText())) return rawAdvice;
  if (builders.test(name) && !isOneOfTheWays(source, file)) return checkBuilder(source);
  if (name === 'execute' && isSqlText(source)) return checkSql(source, node.arguments[0], file);
  return null;
}

function checkReason({ arguments: [, reason] }: ts.CallExpression): string | null {
  return reason && ts.isStringLiteralLike(reason) && reason.text.split(' ').length > 1
    ? null
    : 'say in a few words why this query may look across workspaces';
}

/** Checks handles to the database itself only, because `eb.selectFrom` inside a query belongs to that query. */
function checkBuilder(source: ts.Node): string | null {
  return /(^|\.)(db|tx|trx|database)$/.test(source.getText())
    ? 'this query forgets the workspace: start it with scoped(ctx), or with acrossWorkspaces(ctx, why)'
    : null;
}

function isSqlText(node: ts.Node): node is ts.TaggedTemplateExpression {
  return ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'sql';
}

function checkSql(
  sql: ts.TaggedTemplateExpression,
  handle: ts.Node | undefined,
  file: SourceFile,
): string | null {
  const text = sql.template.getText();
  const touchesRows = /\b(from|update|into|join)\s+[a-z_]+/i.test(text);
  if (!touchesRows || /workspace_?id/i.test(text) || (handle && isOneOfTheWays(handle, file))) return null;
  return 'this SQL names no workspace_id: add the condition, or run it on acrossWorkspaces(ctx, why)';
}

/** Returns whether an expression is one of the two ways, or a name that was given to one of them in this file. */
function isOneOfTheWays(node: ts.Node, file: SourceFile): boolean {
  if (ts.isCallExpression(node)) return ways.test(node.expression.getText());
  return ts.isIdentifier(node) && namesOfWays(file).has(node.text);
}

const named = new WeakMap<SourceFile, Set<string>>();

function namesOfWays(file: SourceFile): Set<string> {
  const known = named.get(file);
  if (known) return known;
  const names = new Set<string>();
  if (file.tree)
    visit(file.tree, (node) => {
      if (!ts.isVariableDeclaration(node) || !node.initializer) return;
      const value = ts.isArrowFunction(node.initializer) ? node.initializer.body : node.initializer;
      if (ts.isCallExpression(value) && ways.test(value.expression.getText())) names.add(node.name.getText());
    });
  named.set(file, names);
  return names;
}
