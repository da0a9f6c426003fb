import ts from 'typescript';
import type { Check, SourceFile } from './source-file.ts';
import { findInTrees } from './source-file.ts';

// The SDK falls back on the environment in one file; programs that people copy (examples, bench) read their own settings.
const readers =
  /^(server\/src\/config\.ts|sdk\/src\/(environment|client-options)\.ts|mcp\/src\/config\.ts|scripts\/.*|examples\/.*|bench\/.*|[^/]+\.config\.ts)$/;

/** `process.env` is read in one file of each package. */
export const checkEnvironment: Check = (files) =>
  findInTrees(files, isBound, (node) =>
    readsEnvironment(node)
      ? 'settings come from readConfig in server/src/config.ts; take the value from ctx.config or as a parameter'
      : null,
  );

const isBound = ({ path, isTest }: SourceFile): boolean => !isTest && !readers.test(path);

const readsEnvironment = (node: ts.Node): boolean => {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'env' && isProcess(node.expression);
  if (ts.isVariableDeclaration(node) && node.initializer && ts.isObjectBindingPattern(node.name))
    return (
      isProcess(node.initializer) && node.name.elements.some((element) => /\benv\b/.test(element.getText()))
    );
  return (
    ts.isImportDeclaration(node) &&
    /^'(node:)?process'$/.test(node.moduleSpecifier.getText()) &&
    /\benv\b/.test(node.importClause?.getText() ?? '')
  );
};

const isProcess = (node: ts.Node): boolean => /^(globalThis\.)?process$/.test(node.getText());
