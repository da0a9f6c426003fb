import { describe, expect, test } from 'vitest';
import { readTracing } from './tracing.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };

describe('traces', () => {
  test.each([
    ['without an endpoint', {}],
    ['with an empty one', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }],
    ['if the SDK is disabled', { ...endpoint, OTEL_SDK_DISABLED: 'TRUE' }],
    ['if there is no exporter', { ...endpoint, OTEL_TRACES_EXPORTER: 'none' }],
  ])('are off %s', (_, environment) => {
    expect(readTracing(environment)).toBeNull();
  });

  test.each([
    ['an endpoint', endpoint],
    ['an endpoint for traces', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://localhost:4318/v1/traces' }],
    ['an SDK that is not disabled', { ...endpoint, OTEL_SDK_DISABLED: 'false' }],
  ])('are on with %s', (_, environment) => {
    expect(readTracing(environment)).toEqual({ service: 'postrider' });
  });

  test.each([
    ['OTEL_SERVICE_NAME', 'mail'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'deployment.environment=test, service.name=mail'],
  ])('leave the name of the service to %s', (name, value) => {
    expect(readTracing({ ...endpoint, [name]: value })).toEqual({ service: null });
  });
});
