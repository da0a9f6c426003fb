import { readFileSync } from 'node:fs';
import { contract, listRoutes, pathPrefix } from '@postrider/contract';
import { managementContract, managementPath } from '@postrider/contract/management';
import { describe, expect, it } from 'vitest';
import * as sdk from '../src/index.ts';
import * as management from '../src/management.ts';
import * as secrets from '../src/secrets.ts';
import * as testing from '../src/testing.ts';
import * as webhooks from '../src/webhooks.ts';

const values = [
  'APIError',
  'APIPromise',
  'AbortedError',
  'AuthenticationError',
  'BadRequestError',
  'ConflictError',
  'ConnectionError',
  'DeliveryFailedError',
  'GoneError',
  'NotFoundError',
  'PagePromise',
  'PayloadTooLargeError',
  'PaymentRequiredError',
  'PermissionDeniedError',
  'Postrider',
  'PostriderError',
  'RateLimitError',
  'ServerError',
  'TimeoutError',
  'UnprocessableEntityError',
  'VERSION',
  'WaitTimeoutError',
  'WebhookVerificationError',
];

/** The entries beside the main one, with their values. */
const entries = {
  management: [management, ['Management']],
  secrets: [secrets, ['findCode', 'findLink', 'findLinkWithTexts']],
  testing: [testing, ['FakeServer', 'sampleEvent', 'signDelivery', 'startServer', 'testSecret']],
  webhooks: [
    webhooks,
    [
      'WebhookVerificationError',
      'expressWebhook',
      'fastifyWebhook',
      'fetchWebhook',
      'honoWebhook',
      'nextWebhook',
      'unwrap',
    ],
  ],
} as const;

const types = [
  'After',
  'Answered',
  'AttachmentContent',
  'AttachmentPath',
  'AttachmentSource',
  'ClientOptions',
  'CodeFound',
  'CommonErrorCode',
  'CreateDraftParams',
  'DeliveryFailureReason',
  'DeliveryHeaders',
  'EventFilters',
  'EventOf',
  'EventPageOf',
  'EventQuery',
  'EventStream',
  'LinkFound',
  'LinkMatch',
  'LogLevel',
  'Logger',
  'MailFilters',
  'MessageStream',
  'Page',
  'PostriderEvent',
  'RawBody',
  'ReplyToMessageParams',
  'RequestOptions',
  'RequestParams',
  'ResumableStream',
  'RouteErrorCodes',
  'SendMessageParams',
  'StreamEvents',
  'StreamMessages',
  'UnwrapOptions',
  'UpdateDraftParams',
  'WaitForCode',
  'WaitForLink',
  'WaitForMessage',
  'WaitForReply',
  'WaitLimits',
  'WaitOptions',
  'WebhookVerificationReason',
];

/** Generated types that stand for nothing by themselves, or for which there is one that takes files in more forms. */
const withheld = [
  'CreateDraft',
  'ErrorExtras',
  'ErrorStatuses',
  'ReplyToMessage',
  'SendMessage',
  'UpdateDraft',
];

/** Methods that are no routes. */
const ownMethods = [
  'attachments.download',
  'events.stream',
  'inboxes.getOrCreate',
  'labels.getOrCreate',
  'messages.search',
  'messages.stream',
  'messages.waitFor',
  'messages.waitForCode',
  'messages.waitForLink',
  'messages.waitForDelivery',
  'messages.waitForReply',
  'threads.search',
  'webhooks.ensure',
  'webhooks.unwrap',
];

const read = (file: string) => readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8');

function exportedTypes(): string[] {
  const lists = [...read('index.ts').matchAll(/^export (type )?\{([^}]*)\}/gm)];
  return lists.flatMap(([, isTypes, names = '']) => {
    const all = names.split(',').map((name) => name.trim());
    const own = isTypes ? all : all.filter((name) => name.startsWith('type '));
    return own
      .map((name) => name.replace(/^type /, '').replace(/^\w+ as /, ''))
      .filter((name) => name !== '');
  });
}

function generatedTypes(): string[] {
  const names = [...read('generated/types.ts').matchAll(/^export (?:interface|type) (\w+)/gm)];
  return names.map(([, name = '']) => name);
}

interface Call {
  method: string;
  path: string;
}

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

const calls: Call[] = [];
const client = new sdk.Postrider({
  apiKey: 'pr_test_key',
  baseURL: 'http://api.test/v1',
  fetch: async (url, init) => {
    calls.push({ method: init?.method ?? '', path: new URL(String(url)).pathname });
    return Response.json({});
  },
});
const resources = client as unknown as Record<string, Methods>;
const routes = listRoutes(contract);

function listMethods(resource: object): string[] {
  const names = Object.getOwnPropertyNames(Object.getPrototypeOf(resource));
  return names.filter((name) => name !== 'constructor');
}

describe('the public API', () => {
  it('has the values of the list', () => {
    expect(Object.keys(sdk).sort()).toEqual(values);
  });

  it.each(Object.entries(entries))('has the values of the list in %s', (_name, [entry, names]) => {
    expect(Object.keys(entry).sort()).toEqual(names);
  });

  it('has the types of the list and the generated ones that are not withheld', () => {
    const expected = [...types, ...generatedTypes().filter((name) => !withheld.includes(name))];
    expect(exportedTypes().sort()).toEqual(expected.sort());
  });

  it('names nothing by a star', () => {
    for (const file of ['index.ts', 'testing.ts', 'webhooks.ts']) {
      expect(read(file)).not.toMatch(/export \*/);
    }
  });
});

describe('the methods of a client', () => {
  it.each(routes)('$name calls its route', async ({ resource, method, route }) => {
    const path = `/v1${route.path.replace(new RegExp(`^${pathPrefix}`), '')}`;
    const takesId = path.includes(':');
    const call = resources[resource]?.[method];
    expect(call, `client.${resource}.${method}`).toBeTypeOf('function');
    calls.length = 0;
    await resources[resource]?.[method]?.(...(takesId ? ['id_1', {}] : [{}]));
    expect(calls).toEqual([{ method: route.method, path: path.replace(/:\w+/, 'id_1') }]);
  });

  it('are the routes of the contract and a few of their own, no more', () => {
    expect(listMethods(client)).toEqual(['withOptions', 'request']);
    const methods = Object.entries(resources).flatMap(([name, resource]) =>
      listMethods(resource).map((method) => `${name}.${method}`),
    );
    expect(methods.sort()).toEqual([...routes.map(({ name }) => name), ...ownMethods].sort());
  });
});

describe('the methods of a management client', () => {
  const manager = new management.Management({
    token: 'pr_admin_token',
    workspace: 'wsp_1',
    baseURL: 'http://api.test/v1',
    fetch: async (url, init) => {
      const { pathname } = new URL(String(url));
      calls.push({ method: init?.method ?? '', path: pathname });
      return Response.json({}, { headers: { got: JSON.stringify(init?.headers) } });
    },
  });
  const all = manager as unknown as Record<string, Methods>;
  const managementMethods = listRoutes(managementContract);

  it.each(managementMethods)('$name calls its route', async ({ resource, method, route }) => {
    const params = [...route.path.matchAll(/:(\w+)/g)].map(([, name]) => (name === 'level' ? 'key' : 'id_1'));
    const call = all[resource]?.[method];
    expect(call, `manager.${resource}.${method}`).toBeTypeOf('function');
    calls.length = 0;
    await all[resource]?.[method]?.(...params, {});
    const path = route.path.replace(':level', 'key').replace(':id', 'id_1');
    expect(calls).toEqual([{ method: route.method, path }]);
  });

  it('are the routes of the contract and a few of their own, no more', () => {
    const methods = Object.entries(all).flatMap(([name, resource]) =>
      listMethods(resource).map((method) => `${name}.${method}`),
    );
    const own = ['webhooks.ensure', 'webhooks.unwrap'];
    expect(methods.filter((name) => !/\.(call|listPages)$/.test(name)).sort()).toEqual(
      [...managementMethods.map(({ name }) => name), ...own].sort(),
    );
  });

  it('send the token, and the workspace in its header', async () => {
    const { response } = await manager.control.get().withResponse();
    const sent = JSON.parse(response.headers.get('got') ?? '{}');
    expect(sent).toMatchObject({ authorization: 'Bearer pr_admin_token', 'x-postrider-workspace': 'wsp_1' });
    const other = await manager.withWorkspace('wsp_2').control.get().withResponse();
    expect(JSON.parse(other.response.headers.get('got') ?? '{}')).toMatchObject({
      'x-postrider-workspace': 'wsp_2',
    });
  });

  it('have the path of the management API, whichever base URL is given', async () => {
    for (const baseURL of ['http://api.test/v1', 'http://api.test/manage/v1/', 'http://api.test/v1/']) {
      calls.length = 0;
      const one = new management.Management({
        token: 't',
        baseURL,
        fetch: async (url) => {
          calls.push({ method: 'GET', path: new URL(String(url)).pathname });
          return Response.json({});
        },
      });
      await one.usage.get();
      expect(calls).toEqual([{ method: 'GET', path: `${managementPath}/usage` }]);
    }
  });

  it('need a token, which no environment variable has', () => {
    expect(() => new management.Management({ token: '' })).toThrow('The admin token is missing');
    expect(() => new management.Management({ token: 't', apiKey: 'x' } as never)).toThrow('apiKey');
  });
});
