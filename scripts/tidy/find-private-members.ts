import ts from 'typescript';
import { listImports } from './check-imports.ts';
import { findCastMembers } from './find-cast-members.ts';
import { lineNumber, type SourceFile, visit } from './source-file.ts';

/** A member of a library that its documentation does not promise. For an import it is the path of the file in the package. */
export interface PrivateUse {
  path: string;
  line: number;
  member: string;
}

/** Names with an underscore that are documented: the hooks of Node's streams, and a field of the Model Context Protocol. */
const documented =
  /^(_construct|_destroy|_final|_flush|_read|_transform|_write|_writev|_meta|__dirname|__filename)$/;
const ownPackage = /^(postrider|@postrider\/)/;
/** Folders of a package that hold its sources or what was built from them. */
const insideOfPackage = /^((?:@[^/]+\/)?[^/@.:]+)\/((?:lib|src|dist|build|cjs|esm|internals?)\/.+)$/;

/**
 * Returns each private member that a file reaches into, once: names with an underscore, files inside of packages, methods that replace
 * those of a class from such a file, and members that a cast gives to a value of a library.
 */
export function findPrivateMembers(file: SourceFile): PrivateUse[] {
  const { tree, path } = file;
  if (!tree) return [];
  const found = new Map<string, PrivateUse>();
  const add = (member: string, node: ts.Node) => {
    if (!found.has(member)) found.set(member, { path, line: lineNumber(node), member });
  };
  const inside = new Set<string>();
  for (const { node, specifier } of listImports(file)) {
    const deep = insideOfPackage.exec(specifier)?.[2];
    if (deep === undefined || ownPackage.test(specifier)) continue;
    add(deep, node);
    for (const name of importedNames(node)) inside.add(name);
  }
  const packageNames = new Set(tree.statements.filter(isOfPackage).flatMap(importedNames));
  visit(tree, (node) => {
    const underscored = nameWithUnderscore(node);
    if (underscored !== null && !documented.test(underscored)) add(underscored, node);
    if (ts.isClassLike(node) && extendsAny(node, inside))
      for (const method of node.members.filter(isOverride)) add(method.name?.getText() ?? '', method);
    for (const member of findCastMembers(node, packageNames)) add(member, node);
  });
  return [...found.values()];
}

function nameWithUnderscore(node: ts.Node): string | null {
  let name: ts.Node | undefined;
  if (ts.isPropertyAccessExpression(node)) name = node.name;
  else if (ts.isElementAccessExpression(node)) name = node.argumentExpression;
  else if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent))
    name = node.propertyName ?? node.name;
  else if (ts.isClassElement(node) || ts.isTypeElement(node)) name = node.name;
  const text = name && (ts.isIdentifier(name) || ts.isStringLiteralLike(name)) ? name.text : '';
  return /^_+[a-zA-Z]/.test(text) ? text : null;
}

function extendsAny(node: ts.ClassLikeDeclaration, names: Set<string>): boolean {
  return (node.heritageClauses ?? []).some(
    ({ token, types }) =>
      token === ts.SyntaxKind.ExtendsKeyword &&
      types.some(({ expression }) => names.has(expression.getText())),
  );
}

function isOverride(member: ts.ClassElement): boolean {
  const modifiers = ts.canHaveModifiers(member) ? ts.getModifiers(member) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.OverrideKeyword) ?? false;
}

function isOfPackage(node: ts.Node): node is ts.ImportDeclaration {
  if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return false;
  const { text } = node.moduleSpecifier;
  return !/^(\.|node:)/.test(text) && !ownPackage.test(text);
}

/** Returns the names that an import declares. */
function importedNames(node: ts.Node): string[] {
  if (!ts.isImportDeclaration(node) || !node.importClause) return [];
  const { name, namedBindings } = node.importClause;
  const named = !namedBindings
    ? []
    : ts.isNamedImports(namedBindings)
      ? namedBindings.elements.map((element) => element.name.text)
      : [namedBindings.name.text];
  return [...(name ? [name.text] : []), ...named];
}
