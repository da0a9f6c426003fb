import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

interface OpenApi {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, Described> }>>;
}
/** A response as it is described. */
interface Described {
  content?: Record<string, unknown>;
}

/** The type of a response that does not end, of which the body is not checked. */
const streamType = 'text/event-stream';

const document = JSON.parse(
  readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'),
) as OpenApi;
const documentId = 'https://postrider.test/openapi.json';
const methods = ['get', 'post', 'patch', 'put', 'delete'];

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: documentId, ...document });

/** A response to check, with the request that it belongs to. */
export interface LiveAnswer {
  method: string;
  /** The path after the version, such as `/inboxes`. */
  path: string;
  status: number;
  headers: Headers;
  body: string;
}

const operations = Object.entries(document.paths).flatMap(([path, item]) =>
  methods
    .filter((method) => item[method] !== undefined)
    .map((method) => ({
      method: method.toUpperCase(),
      template: path,
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
      isLiteral: !path.includes('{'),
      operation: item[method] as OpenApi['paths'][string][string],
    })),
);
// `/messages/check` is not a message whose id is `check`.
operations.sort((a, b) => Number(b.isLiteral) - Number(a.isLiteral));

function isStream(headers: Headers): boolean {
  return headers.get('content-type') === streamType;
}

/**
 * Returns what is wrong with a response according to `openapi.json`, such as an undeclared status or a body that does not match. Returns
 * null if nothing is.
 */
export function findAnswerProblem(answer: LiveAnswer): string | null {
  const { status, headers, body, method, path } = answer;
  const where = `${method} ${path} ${status}`;
  if (!headers.get('x-request-id')) return `${where} has no x-request-id.`;
  const found = operations.find(
    (each) => each.method === (method === 'HEAD' ? 'GET' : method) && each.pattern.test(path),
  );
  if (found === undefined) return status < 400 ? `${where} is of no operation.` : errorProblem(where, answer);
  const { responses } = found.operation;
  const described = responses[String(status)];
  if (described === undefined) return `${where} is not declared.`;
  if (status >= 400) {
    const problem = errorProblem(where, answer);
    if (problem !== null) return problem;
  }
  if (status === 204) return body === '' ? null : `${where} has a body.`;
  if (isStream(headers)) return described.content?.[streamType] ? null : `${where} is declared as no stream.`;
  if (!headers.get('content-type')?.startsWith('application/json')) return `${where} is not JSON.`;
  if (method === 'HEAD') return null;
  const validate = chooseValidator(found.template, found.method.toLowerCase(), status);
  if (validate(JSON.parse(body))) return null;
  return `${where} does not fit: ${ajv.errorsText(validate.errors)} in ${body.slice(0, 500)}`;
}

function errorProblem(where: string, { headers, body, method }: LiveAnswer): string | null {
  if (method === 'HEAD') return null;
  const { error, message, request_id } = JSON.parse(body) as Record<string, unknown>;
  if (typeof error !== 'string' || typeof message !== 'string') return `${where} is no error body: ${body}`;
  return request_id === headers.get('x-request-id')
    ? null
    : `${where} names another request than its header.`;
}

const validators = new Map<string, ValidateFunction>();

function chooseValidator(template: string, method: string, status: number): ValidateFunction {
  const escaped = template.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D');
  const pointer = `#/paths/${escaped}/${method}/responses/${status}`;
  const known = validators.get(pointer);
  if (known !== undefined) return known;
  const response = document.paths[template]?.[method]?.responses[String(status)] as { $ref?: string };
  const place = response.$ref ?? pointer;
  const made = ajv.compile({ $ref: `${documentId}${place}/content/application~1json/schema` });
  validators.set(pointer, made);
  return made;
}

/** Returns a `fetch` that checks every response of the API against `openapi.json`, and adds errors to `problems`. */
export function checkingFetch(problems: string[]): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const response = await fetch(request);
    const { pathname } = new URL(request.url);
    if (!pathname.startsWith('/v1/')) return response;
    const problem = findAnswerProblem({
      method: request.method,
      path: pathname.slice('/v1'.length),
      status: response.status,
      headers: response.headers,
      body: isStream(response.headers) ? '' : await response.clone().text(),
    });
    if (problem !== null) problems.push(problem);
    return response;
  };
}
