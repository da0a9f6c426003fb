import type { AppRoute } from '@ts-rest/core';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  asIssues,
  commonErrorCodes,
  contract,
  listErrorCodes,
  listRoutes,
  routeTakesAttachments,
} from './index.ts';

const routes = listRoutes(contract);

function problems(schema: unknown, value: unknown) {
  const result = (schema as z.ZodType).safeParse(value);
  return result.success ? [] : asIssues(result.error.issues);
}

const inOurWords = /^(is|are|must|has|have|may|needs) (?!.*(Invalid|expected|, received|NaN|undefined))/;

const routeBody = (route: AppRoute) => ('body' in route ? route.body : undefined);

describe.each(routes)('$name', ({ name, route }) => {
  it('says what it does and lives below /v1', () => {
    expect(route.summary).toMatch(/^[A-Z][^.]+$/);
    expect(route.description).toMatch(/\.$/);
    expect(route.path).toMatch(/^\/v1\/[a-z]+(\/:?[a-z-]+)*$/);
    expect(route.strictStatusCodes).toBe(true);
  });

  it('declares the errors that every route may answer', () => {
    expect(listErrorCodes(route)).toEqual(expect.arrayContaining([...commonErrorCodes]));
  });

  it('answers 204 to a delete, 201 to a create and 200 to the rest', () => {
    const statuses = Object.keys(route.responses)
      .map(Number)
      .filter((status) => status < 400);
    const creates = ['create', 'subdomain', 'send', 'reply', 'forward'].includes(name.split('.')[1] ?? '');
    const repeats = creates && !/^(inboxes|labels|webhooks|drafts|domains)\.(create|subdomain)$/.test(name);
    expect(statuses).toEqual(
      route.method === 'DELETE' ? [204] : creates ? (repeats ? [200, 201] : [201]) : [200],
    );
  });

  it('takes any text in its path, since what names nothing is a 404', () => {
    const names = [...route.path.matchAll(/:(\w+)/g)].map(([, param]) => param ?? '');
    for (const text of ['', 'inb_', '../../etc', '\0', '🦆', 'x'.repeat(10_000)]) {
      const params = Object.fromEntries(names.map((param) => [param, text]));
      if (names.length > 0) expect(problems(route.pathParams, params)).toEqual([]);
    }
  });

  it('names unknown fields of the body and unknown query parameters', () => {
    const body = routeBody(route);
    const isUnknown = { path: 'surprise', message: 'is not a known field' };
    if (body instanceof z.ZodType) expect(problems(body, { surprise: 1 })).toContainEqual(isUnknown);
    if (route.method === 'GET' && name !== 'account.get' && !route.path.includes(':')) {
      expect(route.query, 'a list has a query').toBeInstanceOf(z.ZodType);
    }
    if (route.query instanceof z.ZodType)
      expect(problems(route.query, { surprise: '1' })).toEqual([isUnknown]);
  });

  it('says what is wrong with a field in words of its own, which complete the name of the field', () => {
    const wrong = [
      null,
      7,
      -1.5,
      '',
      'no such value',
      'x'.repeat(20_000),
      true,
      {},
      { a: 1 },
      [],
      [7],
      ['x'],
    ];
    for (const schema of [routeBody(route), route.query]) {
      if (!(schema instanceof z.ZodObject)) continue;
      for (const field of Object.keys(schema.shape))
        for (const value of wrong)
          for (const { message } of problems(schema, { [field]: value }))
            expect([field, value, message]).toEqual([field, value, expect.stringMatching(inOurWords)]);
    }
  });

  it('refuses a body that is no object', () => {
    const body = routeBody(route);
    if (!(body instanceof z.ZodType)) return;
    for (const value of [null, [], 'text', 7, true]) expect(problems(body, value)).not.toEqual([]);
  });
});

describe('routes that do nothing with a body', () => {
  it.each([
    'domains.verify',
    'webhooks.test',
    'webhooks.rotateSecret',
    'deliveries.redeliver',
    'drafts.send',
    'domains.dmarc',
  ])('%s takes none, or an empty object', (name) => {
    const route = routes.find((each) => each.name === name)?.route;
    const body = route === undefined ? null : routeBody(route);
    expect(problems(body, undefined)).toEqual([]);
    expect(problems(body, {})).toEqual([]);
  });
});

describe('routes that take attachments', () => {
  it('are those with attachments in their bodies', () => {
    const marked = routes.filter(({ route }) => routeTakesAttachments(route)).map(({ name }) => name);
    const withField = routes.filter(({ route }) => {
      const body = routeBody(route);
      return body instanceof z.ZodObject && 'attachments' in body.shape;
    });
    expect(marked).toEqual(withField.map(({ name }) => name));
    expect(marked).toEqual([
      'messages.send',
      'messages.reply',
      'messages.check',
      'drafts.create',
      'drafts.update',
    ]);
    const withError = routes.filter(({ route }) => listErrorCodes(route).includes('attachment_too_large'));
    expect(withError.map(({ name }) => name)).toEqual(expect.arrayContaining(marked));
  });
});

describe('the table of contents', () => {
  it('has every endpoint of the service and interface pages', () => {
    expect(routes.map(({ route }) => `${route.method} ${route.path.slice(3)}`).sort()).toEqual(
      [
        'POST /inboxes',
        'GET /inboxes',
        'GET /inboxes/:id',
        'PATCH /inboxes/:id',
        'DELETE /inboxes/:id',
        'POST /messages',
        'GET /messages',
        'GET /messages/:id',
        'PATCH /messages/:id',
        'DELETE /messages/:id',
        'POST /messages/:id/reply',
        'POST /messages/:id/forward',
        'GET /messages/:id/raw',
        'POST /messages/check',
        'GET /threads',
        'GET /threads/:id',
        'DELETE /threads/:id',
        'GET /attachments/:id',
        'GET /labels',
        'POST /labels',
        'DELETE /labels/:id',
        'POST /labels/:id/assign',
        'POST /labels/:id/unassign',
        'GET /lists',
        'POST /lists',
        'DELETE /lists/:id',
        'GET /webhooks',
        'POST /webhooks',
        'GET /webhooks/:id',
        'PATCH /webhooks/:id',
        'DELETE /webhooks/:id',
        'POST /webhooks/:id/test',
        'POST /webhooks/:id/rotate-secret',
        'GET /webhooks/:id/deliveries',
        'POST /deliveries/:id/redeliver',
        'POST /drafts',
        'GET /drafts',
        'GET /drafts/:id',
        'PATCH /drafts/:id',
        'DELETE /drafts/:id',
        'POST /drafts/:id/send',
        'POST /domains',
        'GET /domains',
        'GET /domains/:id',
        'DELETE /domains/:id',
        'POST /domains/:id/verify',
        'POST /domains/:id/dmarc',
        'POST /domains/subdomain',
        'GET /policy',
        'GET /suppressions',
        'POST /suppressions',
        'DELETE /suppressions/:address',
        'GET /events',
        'GET /account',
      ].sort(),
    );
  });
});
