import {
  brand,
  commonErrorCodes,
  type ErrorCode,
  errorCodes,
  errorSchemaName,
  errors,
  limits,
  Plan,
  plans,
  realtimeCloseCodes,
  realtimeErrorCodes,
} from '../../contract/src/index.ts';
import { webhookHeaders } from '../../contract/src/openapi/webhook-operations.ts';
import { eventExamples } from '../../contract/src/openapi.ts';
import { api } from './api-document.ts';
import { limitMeanings } from './limit-meanings.ts';
import { objectText, type Page } from './noun-pages.ts';
import { fieldsTable, jsonBlock, table } from './schema-tables.ts';

const retries = {
  fix: 'Change the request first.',
  upgrade: 'Change the plan, or make room, first.',
  wait: 'The same request can succeed later.',
  never: 'Do not repeat it.',
};

/** Returns the page of all errors. */
export function errorsPage(): Page {
  const overview = errorCodes.map((code) => [
    String(errors[code].status),
    `[\`${code}\`](#${code})`,
    errors[code].meaning,
  ]);
  const sections = errorCodes.map((code) => {
    const { meaning, message, retry, status } = errors[code];
    const shared = commonErrorCodes.some((common) => common === code) ? ' Every route may answer it.' : '';
    return [
      `## ${code}`,
      `${status}. ${meaning}${shared}`,
      `> ${message}`,
      retries[retry],
      ...extraFields(code),
    ].join('\n\n');
  });
  const parts = [
    '# Errors',
    'Every answer that is not 2xx is JSON with the code in `error`, one sentence that says what to do in `message`, and the ' +
      '`request_id`; some codes have more fields. Decide by `error`, never by `message`.',
    table(['status', 'code', 'when'], overview),
    ...sections,
    '## Objects',
    objectText('Issue', 'errors.md', false),
  ];
  return { file: 'errors.md', text: `${parts.join('\n\n')}\n` };
}

function extraFields(code: ErrorCode): string[] {
  const schema = api.components.schemas[errorSchemaName(code)] ?? {};
  const { error: _, message: __, request_id: ___, ...properties } = schema.properties ?? {};
  return Object.keys(properties).length > 0 ? [fieldsTable({ ...schema, properties }, linkTo)] : [];
}

function linkTo(name: string): string | null {
  return { Issue: '#issue', DroppedRecipient: 'messages.md#droppedrecipient' }[name] ?? null;
}

function limitRow(name: keyof typeof limits): string[] {
  const value: number | readonly number[] = limits[name];
  return [
    limitMeanings[name],
    [value]
      .flat()
      .map((each) => quantity(name, each))
      .join(', '),
    `\`${name}\``,
  ];
}

function quantity(name: string, value: number): string {
  if (name.endsWith('Ms')) return duration(value);
  if (/bytes/i.test(name)) return value % 2 ** 19 === 0 ? `${value / 2 ** 20} MB` : `${value / 2 ** 10} KB`;
  if (name.includes('Characters')) return `${value.toLocaleString('en')} characters`;
  if (name.endsWith('Jitter') || name.endsWith('ShareMax')) return `${value * 100} %`;
  return `${value.toLocaleString('en')}${name.includes('Seconds') ? ' s' : ''}`;
}

function duration(ms: number): string {
  // The specification says "72 hours" and "5 days".
  if (ms > 72 * 3_600_000) return `${ms / 86_400_000} days`;
  const units: [number, string][] = [
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1_000, 's'],
  ];
  const [size, unit] = units.find(([each]) => ms >= each && ms % each === 0) ?? [1_000, 's'];
  return `${ms / size} ${unit}`;
}

function planValue(value: number | boolean, key: string): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return key.endsWith('_bytes') ? `${value / 2 ** 30} GB` : value.toLocaleString('en');
}

/** Returns the page of plans and fixed limits. */
export function limitsPage(): Page {
  const keys = Object.keys(plans.free) as (keyof typeof plans.free)[];
  const planRows = keys.map((key) => [
    `\`${key}\``,
    ...Plan.options.map((plan) => planValue(plans[plan][key], key)),
  ]);
  const parts = [
    '# Plans and limits',
    'KB are 1,024 bytes, MB 1,048,576 and GB 1,073,741,824. A value at the limit is allowed, one more is refused.',
    '## Plans',
    'A self-hosted server can override every figure. `GET /account` answers those that hold for a key.',
    table(['', ...Plan.options.map((plan) => plan.charAt(0).toUpperCase() + plan.slice(1))], planRows),
    '## Fixed limits',
    'The same on every plan. The name is that of the constant in the contract.',
    table(['what', 'limit', 'name'], (Object.keys(limits) as (keyof typeof limits)[]).map(limitRow)),
  ];
  return { file: 'limits.md', text: `${parts.join('\n\n')}\n` };
}

/** Returns the sections of the webhooks page besides its routes: what is posted, and when it is posted again. */
export function webhookSections(): string[] {
  const headers = webhookHeaders.map(({ name, description }) => [`\`${name}\``, description]);
  const delays = limits.webhookRetryDelaysMs.map((ms) => (ms === 0 ? 'at once' : duration(ms)));
  return [
    '## What is posted',
    'The body is the [event](events.md#the-kinds-of-events) as JSON. Compute signatures over the raw bytes of the body.',
    table(['header', 'what it is'], headers),
    '## When it is posted again',
    `Every answer that is not 2xx is a failure, redirects too, and so is none within ${duration(limits.webhookTimeoutMs)}. ` +
      `There are ${delays.length} attempts, ${delays.join(', ')} after the one before; each delay varies by ${limits.webhookRetryJitter * 100} %, and ` +
      '`Retry-After` is honoured. Deliveries come at least once and may overtake each other.',
  ];
}

/** Returns the sections of the events page besides its routes: an example of each kind, and the realtime socket. */
export function eventSections(): string[] {
  const examples = Object.entries(eventExamples).flatMap(([kind, example]) => [
    `### ${kind}`,
    jsonBlock(example),
  ]);
  const codes = Object.values(realtimeCloseCodes).map(({ code, meaning }) => [String(code), meaning]);
  const { subprotocol, bearerPrefix } = brand.realtime;
  return [
    '## The kinds of events',
    'A webhook’s body, a realtime frame and a row of the log are the same JSON.',
    ...examples,
    '## Realtime',
    `Connect a WebSocket to \`/realtime\` with the Bearer header or, where no header can be set, with the subprotocols ` +
      `\`${subprotocol}\` and \`${bearerPrefix}<key>\`. The query takes \`events\`, \`inbox_id\` and \`after\`; with \`after\`, ` +
      'everything missed comes first, in order. The first frame is:',
    jsonBlock({
      event: 'connected',
      data: {
        workspace_id: eventExamples['message.received'].workspace_id,
        cursor: eventExamples['message.received'].id,
      },
    }),
    table(['close code', 'what to do'], codes),
    `A socket that is not opened answers ${realtimeErrorCodes.map((code) => `[\`${code}\`](errors.md#${code})`).join(', ')}.`,
  ];
}
