import ts from 'typescript';
import type { Check, SourceFile } from './source-file.ts';
import { findInTrees } from './source-file.ts';

/** Checks that no error status is outside the catalogue and no brand outside its file. */
export const checkLiterals: Check = (files) => [
  ...findInTrees(files, isServerCode, checkStatus),
  ...findInTrees(files, isPackageCode, checkBrand),
];

function isServerCode({ path, isTest }: SourceFile): boolean {
  return path.startsWith('server/src/') && !isTest && !(path in ownStatuses);
}

function isPackageCode({ path, isTest }: SourceFile): boolean {
  return /^(contract|server|sdk|mcp)\/src\//.test(path) && !isTest && !(path in brandFiles);
}

/** The files that set a status themselves, each with the reason why it is not an error of the catalogue. */
const ownStatuses: Record<string, string> = {
  'server/src/http/errors.ts': 'turns errors of the catalogue into answers',
  'server/src/mail/aws/aws-failure.ts': 'judges the statuses of Amazon SES',
  'server/src/tls/acme/acme-library.ts': 'judges the statuses of ACME servers',
  'server/src/embedding/remote/post-texts.ts': 'judges the statuses of services for embeddings',
  'server/src/http/health.ts': 'a probe reads the status, nobody reads a code',
  'server/src/files/serve-file.ts': '416 belongs to Range, and a download has no JSON',
};

/** The files that spell the brand out. */
const brandFiles: Record<string, string> = {
  'server/src/lib/start/start-error.ts': 'names of settings, for what is said of them',
  'contract/src/brand.ts': 'the brand itself',
  'server/src/config/config.ts': 'the names of the settings',
  'server/src/config/variables.ts': 'the names of the settings',
  'server/src/config/mail-variables.ts': 'the names of the settings',
  'server/src/config/embedding.ts': 'the names of the settings',
  'server/src/config/tls.ts': 'the names of the settings',
};

const statusNames = /^(status|statusCode|sendStatus|writeHead)$/;
const statusAdvice =
  'an error status stands in contract/src/errors/errors.ts only: throw new ApiError(code, …), or use errors.<code>.status';

function checkStatus(node: ts.Node): string | null {
  if (!ts.isNumericLiteral(node) || Number(node.text) < 400 || Number(node.text) > 599) return null;
  const { parent } = node;
  if (ts.isPropertyAssignment(parent)) return statusNames.test(parent.name.getText()) ? statusAdvice : null;
  if (ts.isCallExpression(parent) && parent.arguments.includes(node))
    return statusNames.test(lastName(parent.expression)) ? statusAdvice : null;
  if (ts.isBinaryExpression(parent)) {
    const other = parent.left === node ? parent.right : parent.left;
    return statusNames.test(lastName(other)) ? statusAdvice : null;
  }
  // A choice between two statuses: res.status(ready ? 200 : …).
  return ts.isConditionalExpression(parent) &&
    ts.isCallExpression(parent.parent) &&
    statusNames.test(lastName(parent.parent.expression))
    ? statusAdvice
    : null;
}

function lastName(node: ts.Node): string {
  return ts.isPropertyAccessExpression(node) ? node.name.text : ts.isIdentifier(node) ? node.text : '';
}

// Class names, and the names of our packages in imports, are code and not literals.
const brandWord = /postrider(?!Error\b)|\bpr_(live|test)_/i;

function checkBrand(node: ts.Node): string | null {
  if (!ts.isStringLiteralLike(node) && !ts.isTemplateHead(node) && !ts.isTemplateMiddleOrTemplateTail(node))
    return null;
  if (!brandWord.test(node.text) || isModuleName(node)) return null;
  return `"${node.text.slice(0, 40)}" spells the brand out; take it from brand in @postrider/contract (the SDK: src/generated)`;
}

function isModuleName({ parent }: ts.Node): boolean {
  return (
    ts.isImportDeclaration(parent) ||
    ts.isExportDeclaration(parent) ||
    ts.isLiteralTypeNode(parent) ||
    (ts.isCallExpression(parent) && parent.expression.kind === ts.SyntaxKind.ImportKeyword)
  );
}
