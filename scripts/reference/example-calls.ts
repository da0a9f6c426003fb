import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { Operation } from './api-document.ts';

const resourcesFolder = fileURLToPath(new URL('../../sdk/src/resources/', import.meta.url));
const sdkExamples = readSdkExamples();

/**
 * Returns the same call of a route with curl and both clients, as blocks of code. That of the SDK is the example of its method, which its
 * tests compile.
 */
export function exampleCalls(method: string, path: string, operation: Operation): string[] {
  const sdk = sdkExamples.get(operation.operationId);
  const target = fillPath(path, operation);
  const body = operation.requestBody?.content?.['application/json'].example;
  return [
    codeBlock('sh', curlCall(method, target, body)),
    ...(sdk === undefined ? [] : [codeBlock('js', sdk)]),
    codeBlock('python', pythonCall(operation, body)),
  ];
}

/** Returns the first example of each method of the SDK's resources, by its name such as `messages.send`. */
function readSdkExamples(): Map<string, string> {
  const examples = new Map<string, string>();
  for (const file of globSync('*.ts', { cwd: resourcesFolder })) {
    const tree = ts.createSourceFile(
      file,
      readFileSync(resourcesFolder + file, 'utf8'),
      ts.ScriptTarget.Latest,
      true,
    );
    const members = tree.statements
      .filter(ts.isClassDeclaration)
      .flatMap((statement) => [...statement.members]);
    for (const member of members.filter(ts.isMethodDeclaration)) {
      const [example] = ts.getJSDocTags(member).filter(({ tagName }) => tagName.text === 'example');
      const text = ts.getTextOfJSDocComment(example?.comment);
      if (text) examples.set(`${basename(file, '.ts')}.${member.name.getText()}`, text);
    }
  }
  return examples;
}

function fillPath(path: string, { parameters = [] }: Operation): string {
  return path.replaceAll(/\{(\w+)\}/g, (whole, name) => {
    const { example } = parameters.find((parameter) => parameter.name === name) ?? {};
    return example === undefined ? whole : encodeURIComponent(example);
  });
}

function curlCall(method: string, path: string, body: unknown): string {
  const lines = [`"$POSTRIDER_BASE_URL${path}"`, '-H "Authorization: Bearer $POSTRIDER_API_KEY"'];
  if (body !== undefined) {
    const json = JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
    lines.push("-H 'Content-Type: application/json'", `-d '${json}'`);
  }
  return `curl ${method === 'GET' ? '' : `-X ${method} `}${lines.join(' \\\n  ')}`;
}

/** The ids of a path come first, and the fields of a body have their names. */
function pythonCall({ operationId, parameters = [] }: Operation, body: unknown): string {
  const method = operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const ids = parameters
    .filter(({ in: place }) => place === 'path')
    .map(({ example }) => JSON.stringify(example));
  const fields = Object.entries((body ?? {}) as object).map(
    ([name, value]) => `${name}=${pythonText(value, '    ')}`,
  );
  const parts = [...ids, ...fields];
  return `client.${method}(${parts.length > 1 ? `\n    ${parts.join(',\n    ')},\n` : parts.join('')})`;
}

/** Returns a JSON value as Python writes it. */
function pythonText(value: unknown, indent: string): string {
  const inner = `${indent}    `;
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map((item) => pythonText(item, indent)).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, field]) => `${inner}${JSON.stringify(name)}: ${pythonText(field, inner)},\n`,
  );
  return fields.length === 0 ? '{}' : `{\n${fields.join('')}${indent}}`;
}

function codeBlock(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\n\`\`\``;
}
