/*
 * Traces of the server's work. If they are off, a span is a plain call of its work; `boot/open-tracing.ts` has the other case.
 *
 * The cause of a span is the current span, or one whose `traceparent` (W3C Trace Context) was stored, or received from a trusted caller.
 * Work that continues later or in another process thus belongs to the trace of its cause.
 */
import type { EventEmitter } from 'node:events';
import { brand } from '@postrider/contract';

/** Attributes of a span. They never have an address, a subject, a text or a key. Those that are null are left out. */
export type SpanAttributes = Record<string, string | number | boolean | null>;

/** The beginning of a span. */
export interface SpanFacts {
  kind: 'server' | 'client' | 'consumer' | 'internal';
  /** The `traceparent` of its cause. Null, or a text that is none, begins a trace. By default the cause is the span that runs. */
  parent?: string | null | undefined;
  /** The `traceparent` of a span that led to it without being its cause: that of a caller who must not choose which traces are kept. */
  link?: string | null | undefined;
  attributes?: SpanAttributes;
}

/** A span whose work continues. */
export interface OpenSpan {
  add(attributes: SpanAttributes): void;
  rename(name: string): void;
  /** Marks it as failed. `type` is one of few, such as the code of a reply. */
  fail(type: string): void;
}

/** Makes spans. */
export interface Tracing {
  /** Whether spans are created. */
  readonly isOn: boolean;
  /** Runs work as a span, which ends with it. An error that the work throws marks the span as failed. */
  trace<T>(name: string, facts: SpanFacts, work: (span: OpenSpan) => Promise<T>): Promise<T>;
  /** Returns the `traceparent` of the span that runs, to be stored or sent on; null if none does. */
  current(): string | null;
  /** Has listeners that are added to an emitter from now on run in the span that runs now. */
  bind(emitter: EventEmitter): void;
  /** Returns the fields by which a log line names the span that runs, in an object of its own. */
  logFields(): object;
  /** Sends the remaining spans, and creates no more. */
  close(): Promise<void>;
}

/** The names of attributes for which there is no semantic convention. */
export const ownAttributes = {
  workspace: `${brand.traces.attributePrefix}workspace.id`,
  request: `${brand.traces.attributePrefix}request.id`,
  event: `${brand.traces.attributePrefix}event.id`,
  eventKind: `${brand.traces.attributePrefix}event.kind`,
  webhook: `${brand.traces.attributePrefix}webhook.id`,
  transport: `${brand.traces.attributePrefix}transport`,
  attempt: `${brand.traces.attributePrefix}attempt`,
  outcome: `${brand.traces.attributePrefix}outcome`,
  reply: `${brand.traces.attributePrefix}smtp.reply_code`,
} as const;

const noSpan: OpenSpan = { add: () => {}, rename: () => {}, fail: () => {} };

/** Makes no spans. */
export const untraced: Tracing = {
  isOn: false,
  trace: (_name, _facts, work) => work(noSpan),
  current: () => null,
  bind: () => {},
  // A new one each time, since the log adds the fields of a line to it.
  logFields: () => ({}),
  close: async () => {},
};
