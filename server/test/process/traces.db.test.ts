import { randomBytes } from 'node:crypto';
import {
  drawTrace,
  type ReceivedSpan,
  startTraceReceiver,
  type TraceReceiver,
} from '@postrider/testkit/http/trace-receiver.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  makeServerHome,
  type ServerHome,
  type ServerProcess,
} from '@postrider/testkit/servers/server-process.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import { closeConnections, sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const secretWord = 'Nightingale';
const trustingCallers = { POSTRIDER_TRACE_CALLERS: 'true' };

let traces: TraceReceiver;
let hook: WebhookReceiver;
let sink: MailSink;
let home: ServerHome;
let server: ServerProcess;

beforeAll(async () => {
  [traces, hook, sink] = await Promise.all([startTraceReceiver(), startWebhookReceiver(), MailSink.start()]);
  home = await makeServerHome({
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_BSP_SCHEDULE_DELAY: '20',
    POSTRIDER_TRANSPORT: 'smtp',
    POSTRIDER_SMTP_RELAY: `smtp://127.0.0.1:${sink.port}?tls=never`,
    POSTRIDER_WEBHOOK_ALLOW_PRIVATE: 'true',
    // The time to the second attempt is three seconds.
    POSTRIDER_TIME_SCALE: '20',
  });
  server = await home.start(trustingCallers);
  const events = ['message.received', 'message.deferred', 'message.sent'] as const;
  await server.client.webhooks.create({ url: `${hook.url}?token=${secretWord}`, events: [...events] });
});

afterAll(async () => {
  await home.remove();
  await Promise.all([traces.close(), hook.close(), sink.close()]);
});

const newCaller = () => {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
};

const named = (spans: ReceivedSpan[], name: string) => spans.filter((span) => span.name === name);

const traceOf = (request: { headers: Record<string, string> } | undefined) =>
  request?.headers.traceparent?.split('-')[1] ?? '';

/** The posts of the events about a message. */
const postsAbout = (messageId: string) =>
  hook.requests.filter(({ event }) => event.message_ref === messageId);

describe('a message that is sent', () => {
  test('has its attempts and its events in the trace of the caller, also after a restart', async () => {
    const caller = newCaller();
    const to = `${secretWord.toLowerCase()}@example.com`;
    sink.script({ at: 'rcpt', recipient: to, reply: '451 4.7.1 Later' });
    const inbox = await server.client.inboxes.create({ local_part: 'sender' });
    const { id } = await server.client.messages.send(
      { inbox_id: inbox.id, to: [to], subject: secretWord, text: secretWord },
      { headers: { traceparent: caller.traceparent } },
    );
    const { output } = await server.stop();
    sink.clearScript();
    server = await home.start(trustingCallers);
    const spans = await traces.waitFor(
      caller.traceId,
      (all) => named(all, 'send mail').length === 2 && named(all, 'POST').length === 2,
    );

    const [request] = named(spans, 'POST /v1/messages');
    expect(request).toMatchObject({
      kind: 'server',
      parentSpanId: caller.spanId,
      attributes: { 'http.route': '/v1/messages', 'http.response.status_code': 201 },
    });
    expect(request?.process['service.name']).toBe('postrider');
    expect(drawTrace(spans)).toEqual([
      'POST /v1/messages server',
      '  send mail client',
      ...Array(3).fill(expect.stringMatching(/^ {2}(send mail|POST) client$/)),
    ]);
    const attempts = named(spans, 'send mail');
    expect(attempts.map(({ attributes, hasFailed }) => ({ ...attributes, hasFailed }))).toEqual(
      [
        { 'postrider.attempt': 1, 'postrider.outcome': 'deferred', 'error.type': '4.7.1', hasFailed: true },
        { 'postrider.attempt': 2, 'postrider.outcome': 'accepted', hasFailed: false },
      ].map((facts) => ({
        ...facts,
        'messaging.system': 'email',
        'messaging.operation.name': 'send',
        'messaging.message.id': id,
        'postrider.transport': 'smtp',
        'postrider.workspace.id': expect.stringMatching(/^wsp_/),
        'server.address': '127.0.0.1',
        'server.port': sink.port,
      })),
    );
    expect(new Set(attempts.map(({ process }) => process['process.pid'])).size).toBe(2);
    const posted = await eventually('both events', async () => postsAbout(id).length === 2 && postsAbout(id));
    expect(posted.map(({ headers }) => headers.traceparent).sort()).toEqual(
      named(spans, 'POST')
        .map(({ spanId }) => `00-${caller.traceId}-${spanId}-01`)
        .sort(),
    );

    const lines = output.split('\n').filter((line) => line.includes(caller.traceId));
    expect(lines.map((line) => JSON.parse(line).msg).sort()).toEqual(['not delivered', 'request']);
  });

  test('begins a trace if the caller has none', async () => {
    const inbox = await server.client.inboxes.create({ local_part: 'alone' });
    const { id } = await server.client.messages.send({
      inbox_id: inbox.id,
      to: ['somebody@example.com'],
      subject: secretWord,
      text: secretWord,
    });
    const [post] = await eventually('the event', async () => postsAbout(id).length === 1 && postsAbout(id));
    const spans = await traces.waitFor(traceOf(post), (all) => all.length === 3);
    expect(drawTrace(spans)).toEqual(['POST /v1/messages server', '  send mail client', '  POST client']);
    expect(spans[0]?.parentSpanId).toBeNull();
  });
});

/** Calls a tool over HTTP that makes a request of its own. */
const callTool = ({ traceparent }: { traceparent: string }) =>
  fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${home.key}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      traceparent,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_inboxes', arguments: {} },
    }),
  });

/** Returns the span of the request that was answered. */
const requestSpan = ({ headers }: Response) =>
  eventually('the span', async () =>
    traces.spans.find(({ attributes }) => attributes['postrider.request.id'] === headers.get('x-request-id')),
  );

test('a tool over HTTP has the requests that it makes in its trace', async () => {
  const caller = newCaller();
  const response = await callTool(caller);
  expect([response.status, (await response.text()).includes('error')]).toEqual([200, false]);
  const spans = await traces.waitFor(caller.traceId, (all) => all.length >= 2);
  expect(drawTrace(spans).slice(0, 2)).toEqual(['POST /mcp server', '  GET /v1/inboxes server']);
});

test('a mail that arrives has one trace from its session to the post of its event', async () => {
  const { address } = await server.client.inboxes.create({ local_part: 'receiver' });
  const mail = { from: `${secretWord}@remote.example`, to: address, subject: secretWord, text: secretWord };
  await sendMail(server.smtpPort, mail);
  closeConnections(server.smtpPort);
  const post = await eventually('the event', async () =>
    hook.requests.find(({ event }) => event.event === 'message.received'),
  );
  const spans = await traces.waitFor(traceOf(post), (all) => all.length === 3);
  expect(drawTrace(spans)).toEqual(['SMTP session server', '  receive mail consumer', '    POST client']);
  expect(spans[1]?.attributes).toMatchObject({
    'messaging.system': 'email',
    'postrider.smtp.reply_code': 250,
  });
});

test('mail that comes faster than it is filed keeps its trace in the spool', async () => {
  const { address } = await server.client.inboxes.create({ local_part: 'busy' });
  const count = 60;
  const before = hook.requests.length;
  const mails = Array.from({ length: count }, (_, n) => ({
    from: 'a@remote.example',
    to: address,
    subject: `${secretWord} ${n}`,
    text: secretWord,
  }));
  await Promise.all(mails.map((mail) => sendMail(server.smtpPort, mail)));
  closeConnections(server.smtpPort);
  // An event that was not confirmed in time is posted again.
  const posts = await eventually('an event of each mail', async () => {
    const byMail = new Map(hook.requests.slice(before).map((post) => [post.event.message_ref, post]));
    return byMail.size === count && [...byMail.values()];
  });
  const ids = new Set(posts.map(traceOf));
  const ofMails = await eventually('the spans', async () => {
    const spans = traces.spans.filter(({ traceId }) => ids.has(traceId));
    const sessions = new Set(named(spans, 'SMTP session').map(({ traceId }) => traceId));
    const isWhole = named(spans, 'receive mail').length === count && named(spans, 'POST').length >= count;
    return isWhole && sessions.size === ids.size && spans;
  });
  const receiving = named(ofMails, 'receive mail');
  const reading = named(ofMails, 'read mail');
  expect(reading.length).toBeGreaterThan(0);
  const causes = new Set(receiving.map(({ spanId }) => spanId));
  for (const { parentSpanId } of [...reading, ...named(ofMails, 'POST')])
    expect(causes).toContain(parentSpanId);
});

describe('a caller that is not trusted', () => {
  const sampled = async (key: string, { traceparent }: { traceparent: string }) => {
    const headers = { authorization: `Bearer ${key}`, traceparent };
    return fetch(`${server.url}/v1/account`, { headers });
  };

  test('is linked to the trace that each of its requests begins', async () => {
    await server.stop();
    server = await home.start();
    const caller = newCaller();
    for (const key of ['unknown', home.key]) {
      const span = await requestSpan(await sampled(key, caller));
      expect(span).toMatchObject({ parentSpanId: null, links: [caller.spanId] });
      expect(span.traceId).not.toBe(caller.traceId);
    }
    const tool = await callTool(caller);
    const { traceId, links } = await requestSpan(tool);
    expect(links).toEqual([caller.spanId]);
    const spans = await traces.waitFor(traceId, (all) => all.length >= 2);
    expect(drawTrace(spans).slice(0, 2)).toEqual(['POST /mcp server', '  GET /v1/inboxes server']);
  });

  test.each([
    '',
    'nonsense',
    `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
    `00-${'1'.repeat(32)}-${'0'.repeat(16)}-01`,
    `ff-${'1'.repeat(32)}-${'1'.repeat(16)}-01`,
    `00-${'A'.repeat(32)}-${'1'.repeat(16)}-01`,
    `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01-more`,
    `00-${'1'.repeat(32)}-${'1'.repeat(16)}-01, 00-${'2'.repeat(32)}-${'2'.repeat(16)}-01`,
    `00-${"'; drop table messages; --".padEnd(32)}-${'1'.repeat(16)}-01`,
    '0'.repeat(8_000),
  ])('a traceparent that is none begins a trace: %.80s', async (traceparent) => {
    const response = await fetch(`${server.url}/v1/account`, {
      headers: { authorization: `Bearer ${home.key}`, traceparent },
    });
    expect(response.status).toBe(200);
    const span = await requestSpan(response);
    expect(span).toMatchObject({ name: 'GET /v1/account', parentSpanId: null, links: [], hasFailed: false });
  });

  test('has no more traces kept than the sampler of the operator keeps', async () => {
    await server.stop();
    const before = traces.spans.length;
    server = await home.start({ OTEL_TRACES_SAMPLER: 'parentbased_always_off' });
    for (const key of ['unknown', home.key]) await sampled(key, newCaller());
    await server.stop();
    expect(traces.spans.slice(before).filter(({ name }) => name === 'GET /v1/account')).toEqual([]);
    server = await home.start();
  });
});

test('spans have no address, subject, text, secret or key', () => {
  expect(traces.spans.length).toBeGreaterThan(100);
  const told = JSON.stringify(traces.spans, (_, value) => (typeof value === 'bigint' ? null : value));
  for (const secret of ['@', secretWord, secretWord.toLowerCase(), home.key, home.key.slice(8)])
    expect(told).not.toContain(secret);
});

/**
 * Tells on standard error of each package of OpenTelemetry that is asked for, or has all of them missing. prom-client has a copy of the API
 * that it loads for itself.
 */
const watchPackages = (isMissing: boolean) => {
  const resolve = `resolve(name, context, next) {
    if (!name.startsWith('@opentelemetry/') || context.parentURL?.includes('/prom-client/')) return next(name, context);
    process.stderr.write('ASKED ' + name + '\\n');
    if (${isMissing}) throw Object.assign(new Error("Cannot find package '" + name + "'"), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(name, context);
  }`;
  const program = `import { registerHooks } from 'node:module'; registerHooks({ ${resolve} });`;
  return { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(program)}` };
};

describe('the packages of OpenTelemetry', () => {
  beforeAll(async () => {
    await server.stop();
  });

  const sendOne = async () => {
    const inbox = await server.client.inboxes.create({ local_part: `one-${randomBytes(4).toString('hex')}` });
    await server.client.messages.send({ inbox_id: inbox.id, to: ['a@example.com'], subject: 's', text: 't' });
  };

  test.each([
    ['are loaded with an endpoint', {}, true],
    ['are not loaded without one', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
  ])('%s', async (_, env, isLoaded) => {
    server = await home.start({ ...watchPackages(false), ...env });
    await sendOne();
    expect((await server.stop()).output.includes('ASKED')).toBe(isLoaded);
  });

  test('are named if they are missing, and the server works without', async () => {
    server = await home.start(watchPackages(true));
    await sendOne();
    const { output } = await server.stop();
    expect(output).toContain('npm install @opentelemetry/api @opentelemetry/sdk-node');
    expect(output).not.toMatch(/"level":(50|60)|^Error/m);
    const lines = output.split('\n').filter((line) => line.startsWith('{"level"'));
    const stopping = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'stopping');
    expect(Object.keys(stopping)).toEqual(['level', 'time', 'pid', 'hostname', 'signal', 'msg']);
  });
});
