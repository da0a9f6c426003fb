import { afterEach, expect, test, vi } from 'vitest';
import { untraced } from '../lib/tracing.ts';
import { openTracing } from './open-tracing.ts';

const settings = { service: null };
const missing = (name: string) =>
  Object.assign(new Error(`Cannot find package '${name}' imported from /server`), {
    code: 'ERR_MODULE_NOT_FOUND',
  });

afterEach(() => vi.unstubAllEnvs());

test('without settings nothing is loaded', async () => {
  const load = vi.fn();
  expect(await openTracing(null, { warn: vi.fn() }, load)).toBe(untraced);
  expect(load).not.toHaveBeenCalled();
});

test.each([
  ['is missing', missing('@opentelemetry/sdk-node'), {}],
  ['cannot be loaded', new Error('broken'), { err: new Error('broken') }],
])('a package that %s is said, and there are no traces', async (_, error, fields) => {
  const warn = vi.fn();
  expect(await openTracing(settings, { warn }, () => Promise.reject(error))).toBe(untraced);
  const said = 'npm install @opentelemetry/api @opentelemetry/sdk-node';
  expect(warn.mock.calls).toEqual([[fields, expect.stringContaining(said)]]);
});

test('problems are in the log, also with OTEL_LOG_LEVEL', async () => {
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:1');
  vi.stubEnv('OTEL_TRACES_SAMPLER', 'nonsense');
  vi.stubEnv('OTEL_LOG_LEVEL', 'error');
  const warn = vi.fn();
  const tracing = await openTracing(settings, { warn });
  await tracing.close();
  const said = { problem: expect.stringContaining('nonsense') };
  expect(warn).toHaveBeenCalledWith(said, 'OpenTelemetry reports a problem');
});
