/*
 * Traces by OpenTelemetry. Its packages are optional peers of the server, and nothing of them is loaded unless the operator has named an
 * endpoint. Its SDK reads the variables of its specification itself.
 */
import type { AttributeValue, Context } from '@opentelemetry/api';
import { brand } from '@postrider/contract';
import manifest from '../../package.json' with { type: 'json' };
import type { TracingSettings } from '../config/tracing.ts';
import { withinTime } from '../lib/concurrency/wait.ts';
import { codeOf, sayError } from '../lib/start/start-error.ts';
import { type OpenSpan, type SpanAttributes, type Tracing, untraced } from '../lib/tracing.ts';

/** The packages of OpenTelemetry. */
interface Packages {
  api: Api;
  sdk: typeof import('@opentelemetry/sdk-node');
}
type Api = typeof import('@opentelemetry/api');

/** The part of a logger that reports problems. */
interface Log {
  warn(fields: object, message: string): void;
}

const packageNames = ['@opentelemetry/api', '@opentelemetry/sdk-node'];

async function loadInstalled(): Promise<Packages> {
  const [api, sdk] = await Promise.all([import('@opentelemetry/api'), import('@opentelemetry/sdk-node')]);
  return { api, sdk };
}

/**
 * Opens traces. Without settings, or if the packages are missing, it records nothing. An endpoint may be set for all programs of a machine,
 * so the server starts without the packages, and the log says which ones to install.
 */
export async function openTracing(
  settings: TracingSettings | null,
  log: Log,
  load: () => Promise<Packages> = loadInstalled,
): Promise<Tracing> {
  if (settings === null) return untraced;
  try {
    return startTracing(await load(), settings, log);
  } catch (error) {
    log.warn({ ...(!isMissing(error) && { err: error }) }, notStarted);
    return untraced;
  }
}

const notStarted = `No traces are sent, although an endpoint of OpenTelemetry is set: run \`npm install ${packageNames.join(' ')}\` in the folder of the server, or set OTEL_SDK_DISABLED=true.`;

function isMissing(error: unknown): boolean {
  return (
    codeOf(error) === 'ERR_MODULE_NOT_FOUND' &&
    packageNames.some((name) => sayError(error).includes(`'${name}'`))
  );
}

/** The time limit for sending the remaining spans at the end. */
const closeMsMax = 1_500;

function startTracing({ api, sdk }: Packages, { service }: TracingSettings, log: Log): Tracing {
  // Metrics and the log leave the server in other ways.
  const own = {
    metricReaders: [],
    logRecordProcessors: [],
    ...(service !== null && { serviceName: service }),
  };
  const started = new sdk.NodeSDK(own);
  // With OTEL_LOG_LEVEL, the constructor sets its own logger, which writes to the console.
  hearProblems(api, log);
  started.start();
  const tracer = api.trace.getTracer(brand.packages.server, manifest.version);
  return {
    isOn: true,
    trace: (name, { kind, parent, link = null, attributes = {} }, work) => {
      const cause = parent === undefined ? api.context.active() : readTraceparent(api, parent);
      const linked = api.trace.getSpanContext(readTraceparent(api, link));
      const options = {
        kind: api.SpanKind[kinds[kind]],
        attributes: present(attributes),
        links: linked ? [{ context: linked }] : [],
      };
      const span = tracer.startSpan(name, options, cause);
      const open: OpenSpan = {
        add: (more) => span.setAttributes(present(more)),
        rename: (to) => span.updateName(to),
        fail: (type) => span.setAttribute('error.type', type).setStatus({ code: api.SpanStatusCode.ERROR }),
      };
      return api.context.with(api.trace.setSpan(cause, span), async () => {
        try {
          return await work(open);
        } catch (error) {
          open.fail(codeOf(error) || (error as Error).name);
          throw error;
        } finally {
          span.end();
        }
      });
    },
    current: () => writeTraceparent(api),
    bind: (emitter) => void api.context.bind(api.context.active(), emitter),
    logFields: () => {
      const running = api.trace.getActiveSpan()?.spanContext();
      return running ? { trace_id: running.traceId, span_id: running.spanId } : {};
    },
    // Spans that do not arrive were reported by then.
    close: () =>
      withinTime(
        started.shutdown().catch(() => {}),
        closeMsMax,
        undefined,
      ),
  };
}

/** Has the log tell of spans that do not arrive, and of variables that cannot be read. */
function hearProblems(api: Api, log: Log): void {
  // It reports while it sends the spans of many, at a time that one of them has chosen.
  const tell = (problem: string) =>
    api.context.with(api.ROOT_CONTEXT, () =>
      log.warn({ problem: readMessage(problem) }, 'OpenTelemetry reports a problem'),
    );
  const leave = () => {};
  const logger = { error: tell, warn: tell, info: leave, debug: leave, verbose: leave };
  api.diag.setLogger(logger, { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** Returns the message of a problem, which may be an error as JSON. */
function readMessage(problem: string): string {
  try {
    return String(JSON.parse(problem).message ?? problem);
  } catch {
    return problem;
  }
}

const kinds = { server: 'SERVER', client: 'CLIENT', consumer: 'CONSUMER', internal: 'INTERNAL' } as const;

function present(attributes: SpanAttributes): Record<string, AttributeValue> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null)) as Record<
    string,
    AttributeValue
  >;
}

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Returns the context of a `traceparent`. An invalid one, which may come from a stranger, gives a context without a span. */
function readTraceparent(api: Api, traceparent: string | null): Context {
  const [, traceId = '', spanId = '', flags = ''] = form.exec(traceparent ?? '') ?? [];
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return api.isSpanContextValid(remote)
    ? api.trace.setSpanContext(api.ROOT_CONTEXT, remote)
    : api.ROOT_CONTEXT;
}

function writeTraceparent(api: Api): string | null {
  const running = api.trace.getActiveSpan()?.spanContext();
  if (!running) return null;
  const flags = running.traceFlags.toString(16).padStart(2, '0');
  return `00-${running.traceId}-${running.spanId}-${flags}`;
}
