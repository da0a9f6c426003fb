import ts from 'typescript';
import { visit } from './source-file.ts';

/**
 * Returns the members that a cast by way of `unknown`, `object` or `any` gives to a value of a package, as far as they are written in this
 * file. `packageNames` are the names that the file imports from packages.
 */
export function findCastMembers(node: ts.Node, packageNames: Set<string>): string[] {
  if (!ts.isAsExpression(node) || !ts.isAsExpression(node.expression)) return [];
  const value = node.expression.expression;
  return isOfPackage(value, packageNames) ? listMembers(node.type) : [];
}

/** Returns whether an expression starts from a value of a package: an import, or something whose type or value starts from one. */
function isOfPackage(value: ts.Node, packageNames: Set<string>): boolean {
  const root = findRoot(value);
  if (root === null) return false;
  const declaration = findDeclaration(root);
  if (!declaration) return packageNames.has(root.text);
  const { type, initializer } = declaration;
  if (type) return ts.isTypeReferenceNode(type) && packageNames.has(firstName(type.typeName));
  return initializer !== undefined && isOfPackage(initializer, packageNames);
}

/** Returns the name from which an expression starts: `a` of `new a.b(c).d`, and that of the field for one that starts with `this`. */
function findRoot(value: ts.Node): ts.Identifier | ts.PrivateIdentifier | null {
  if (ts.isIdentifier(value)) return value;
  if (ts.isPropertyAccessExpression(value) && value.expression.kind === ts.SyntaxKind.ThisKeyword)
    return ts.isIdentifier(value.name) || ts.isPrivateIdentifier(value.name) ? value.name : null;
  const isStep =
    ts.isPropertyAccessExpression(value) ||
    ts.isElementAccessExpression(value) ||
    ts.isCallExpression(value) ||
    ts.isNewExpression(value) ||
    ts.isAwaitExpression(value) ||
    ts.isParenthesizedExpression(value) ||
    ts.isNonNullExpression(value);
  return isStep ? findRoot(value.expression) : null;
}

type Declaration = ts.ParameterDeclaration | ts.VariableDeclaration | ts.PropertyDeclaration;

/** Returns the closest declaration of a name around it, other than an import. */
function findDeclaration(name: ts.Identifier | ts.PrivateIdentifier): Declaration | null {
  for (let node: ts.Node = name; node.parent; node = node.parent) {
    const found = declarationsIn(node.parent).find((one) => one.name.getText() === name.text);
    if (found) return found;
  }
  return null;
}

function declarationsIn(scope: ts.Node): Declaration[] {
  if (ts.isFunctionLike(scope)) return scope.parameters.filter(ts.isParameter);
  if (ts.isClassLike(scope)) return scope.members.filter(ts.isPropertyDeclaration);
  if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) return [];
  return scope.statements.flatMap((statement) =>
    ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [],
  );
}

function firstName(name: ts.EntityName): string {
  return ts.isIdentifier(name) ? name.text : firstName(name.left);
}

/** Returns the members of a type, and of the types of this file that it is made of. */
function listMembers(type: ts.TypeNode): string[] {
  const members = new Set<string>();
  const seen = new Set<ts.Node>();
  const collect = (start: ts.Node) => {
    if (seen.has(start)) return;
    seen.add(start);
    visit(start, (node) => {
      if (ts.isTypeElement(node) && node.name) members.add(node.name.getText());
      if (ts.isTypeReferenceNode(node)) typesNamed(node).forEach(collect);
    });
  };
  collect(type);
  return [...members];
}

function typesNamed(type: ts.TypeReferenceNode): ts.Node[] {
  return type
    .getSourceFile()
    .statements.filter(
      (node) =>
        (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) &&
        node.name.text === type.typeName.getText(),
    );
}
