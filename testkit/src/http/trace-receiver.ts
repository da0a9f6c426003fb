/* A receiver of traces: what an OpenTelemetry collector is to a server, for spans in JSON. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { eventually } from '../lib/eventually.ts';

/** A span as it came, with the attributes of its process. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Null for the root of a trace. */
  parentSpanId: string | null;
  name: string;
  kind: string;
  hasFailed: boolean;
  startedAt: bigint;
  /** The ids of the spans that it is linked to. */
  links: string[];
  attributes: Record<string, unknown>;
  process: Record<string, unknown>;
}

/** A receiver on a free port of 127.0.0.1. */
export interface TraceReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** Resolves with the spans of a trace, in the order of their starts, once `isWhole` says that they are all there. */
  waitFor(traceId: string, isWhole: (spans: ReceivedSpan[]) => boolean): Promise<ReceivedSpan[]>;
  close(): Promise<void>;
}

/** The kinds of OTLP, by their numbers. */
const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
const failed = 2;

interface Attribute {
  key: string;
  value: Record<string, unknown>;
}

interface TraceExport {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: WireSpan[] }[] }[];
}

interface WireSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  links?: { spanId: string }[];
  attributes: Attribute[];
  status?: { code?: number };
}

/** Starts a receiver. Its URL is for `OTEL_EXPORTER_OTLP_ENDPOINT`, with the protocol `http/json`. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = createServer(async (request, response) => {
    const isExport = request.method === 'POST' && request.url === '/v1/traces';
    if (isExport) spans.push(...readExport((await json(request)) as TraceExport));
    response.writeHead(isExport ? 200 : 404, { 'content-type': 'application/json' }).end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const inTrace = (traceId: string) =>
    spans
      .filter((span) => span.traceId === traceId)
      .sort((a, b) => (a.startedAt < b.startedAt ? -1 : a.startedAt > b.startedAt ? 1 : 0));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    waitFor: (traceId, isWhole) =>
      eventually('the spans of a trace', async () => isWhole(inTrace(traceId)) && inTrace(traceId)),
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function readExport({ resourceSpans }: TraceExport): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => readSpan(span, readAttributes(resource.attributes))),
    ),
  );
}

function readSpan(span: WireSpan, process: Record<string, unknown>): ReceivedSpan {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId || null,
    name: span.name,
    kind: kinds[span.kind] ?? 'unknown',
    hasFailed: span.status?.code === failed,
    startedAt: BigInt(span.startTimeUnixNano),
    links: (span.links ?? []).map(({ spanId }) => spanId),
    attributes: readAttributes(span.attributes),
    process,
  };
}

function readAttributes(attributes: Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

/** Returns the spans of one trace as lines, each indented below its cause: `POST /v1/messages server`. */
export function drawTrace(spans: ReceivedSpan[]): string[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const draw = (span: ReceivedSpan, depth: number): string[] => [
    `${'  '.repeat(depth)}${span.name} ${span.kind}`,
    ...spans
      .filter(({ parentSpanId }) => parentSpanId === span.spanId)
      .flatMap((below) => draw(below, depth + 1)),
  ];
  return spans
    .filter(({ parentSpanId }) => parentSpanId === null || !ids.has(parentSpanId))
    .flatMap((root) => draw(root, 0));
}
