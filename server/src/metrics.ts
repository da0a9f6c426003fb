import { performance } from 'node:perf_hooks';
import { brand } from '@postrider/contract';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of the server; `/metrics` prints the registry. */
export interface Metrics {
  registry: Registry;
  httpRequests: Histogram<'method' | 'route' | 'status'>;
  sockets: Gauge;
  smtpVerdicts: Counter<'verdict'>;
  deliveries: Counter<'outcome'>;
  approvalsHeld: Gauge;
  webhookAttempts: Counter<'outcome'>;
  diskFree: Gauge<'part'>;
  certificateEnds: Gauge<'hostname'>;
  certificateFailures: Counter<'hostname'>;
  filesPending: Gauge;
  filesRead: Counter<'result'>;
  searchPending: Gauge;
  searchLag: Gauge;
  searchIndexed: Counter;
  searchBackfill: Gauge;
  embeddingPending: Gauge;
  embeddingBackfill: Gauge;
  embedded: Counter;
  embeddingFailures: Counter;
}

/** Metrics in a registry of their own, so that several servers can run in one process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectProcess(registry);
  const registers = [registry];
  return {
    registry,
    httpRequests: new Histogram({
      name: `${brand.metricPrefix}http_request_seconds`,
      help: 'Time to answer a request, by route.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
      registers,
    }),
    sockets: new Gauge({
      name: `${brand.metricPrefix}realtime_sockets`,
      help: 'Realtime sockets that are open in this process.',
      registers,
    }),
    smtpVerdicts: new Counter({
      name: `${brand.metricPrefix}smtp_verdicts_total`,
      help: 'Recipients of inbound mail, by verdict.',
      labelNames: ['verdict'],
      registers,
    }),
    deliveries: new Counter({
      name: `${brand.metricPrefix}deliveries_total`,
      help: 'Attempts to deliver to a recipient, by outcome.',
      labelNames: ['outcome'],
      registers,
    }),
    approvalsHeld: new Gauge({
      name: `${brand.metricPrefix}approvals_held`,
      help: 'Messages of all workspaces that wait for the approval of people.',
      registers,
    }),
    webhookAttempts: new Counter({
      name: `${brand.metricPrefix}webhook_attempts_total`,
      help: 'Attempts to post an event to a webhook, by outcome of the delivery.',
      labelNames: ['outcome'],
      registers,
    }),
    diskFree: new Gauge({
      name: `${brand.metricPrefix}disk_free_bytes`,
      help: 'Bytes that are free on the disk of a part of the server.',
      labelNames: ['part'],
      registers,
    }),
    certificateEnds: new Gauge({
      name: `${brand.metricPrefix}certificate_end_timestamp_seconds`,
      help: 'When the certificate of a host ends that comes by ACME, in seconds since 1970.',
      labelNames: ['hostname'],
      registers,
    }),
    certificateFailures: new Counter({
      name: `${brand.metricPrefix}certificate_failures_total`,
      help: 'Orders of certificates by ACME that failed in this process, by host.',
      labelNames: ['hostname'],
      registers,
    }),
    ...createSearchMetrics(registers),
  };
}

/** Counts of the search index, of the texts of files and of vectors. */
function createSearchMetrics(registers: Registry[]) {
  return {
    filesPending: new Gauge({
      name: `${brand.metricPrefix}search_files_pending`,
      help: 'Attachments of all workspaces whose text is still to be read for the search.',
      registers,
    }),
    filesRead: new Counter({
      name: `${brand.metricPrefix}search_files_total`,
      help: 'Attachments that this process has read for the search, by result.',
      labelNames: ['result'],
      registers,
    }),
    searchPending: new Gauge({
      name: `${brand.metricPrefix}search_pending_messages`,
      help: 'Messages that are stored and not in the search index yet, from the process that indexes.',
      registers,
    }),
    searchLag: new Gauge({
      name: `${brand.metricPrefix}search_lag_seconds`,
      help: 'Age of the oldest message that waits to be indexed, from the process that indexes.',
      registers,
    }),
    searchIndexed: new Counter({
      name: `${brand.metricPrefix}search_indexed_total`,
      help: 'Messages that this process has indexed.',
      registers,
    }),
    searchBackfill: new Gauge({
      name: `${brand.metricPrefix}search_backfill_messages`,
      help: 'Messages from before the search index that are still to be indexed, from the process that indexes.',
      registers,
    }),
    embeddingPending: new Gauge({
      name: `${brand.metricPrefix}embedding_pending_messages`,
      help: 'Messages that wait for a vector, from the process that embeds.',
      registers,
    }),
    embeddingBackfill: new Gauge({
      name: `${brand.metricPrefix}embedding_backfill_messages`,
      help: 'Older messages that are still to be looked through for a vector, from the process that embeds.',
      registers,
    }),
    embedded: new Counter({
      name: `${brand.metricPrefix}embedded_total`,
      help: 'Messages that this process has embedded.',
      registers,
    }),
    embeddingFailures: new Counter({
      name: `${brand.metricPrefix}embedding_failures_total`,
      help: 'Failures of the provider of vectors, each of which is followed by a rest.',
      registers,
    }),
  };
}

/**
 * Adds the metrics of the process. The lag of the event loop is measured at each scrape, and its use is that since the one before. Its
 * distribution is left out, because a timer would wake an idle process a hundred times a second to measure it.
 */
function collectProcess(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 3_600_000 });
  for (const part of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'])
    registry.removeSingleMetric(`nodejs_eventloop_lag_${part}_seconds`);
  let before = performance.eventLoopUtilization();
  new Gauge({
    name: `${brand.metricPrefix}eventloop_utilization_ratio`,
    help: 'The share of the time since the last scrape in which the event loop was busy.',
    registers: [registry],
    collect() {
      const now = performance.eventLoopUtilization();
      this.set(performance.eventLoopUtilization(now, before).utilization);
      before = now;
    },
  });
}
