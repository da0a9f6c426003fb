import { performance } from 'node:perf_hooks';
import { brand } from '@postrider/contract';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of the server. Those of `registry` are of this process; `/metrics` reads those of `backlog` from the database. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Metrics in registries of their own, so that several servers can run in one process. */
export function createMetrics() {
  const registry = new Registry();
  collectProcess(registry);
  const { counter, gauge } = makersIn(registry);
  return {
    registry,
    httpRequests: new Histogram({
      name: `${brand.metricPrefix}http_request_seconds`,
      help: 'Duration of requests, by route.',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
      registers: [registry],
    }),
    sockets: gauge('realtime_sockets', 'Realtime sockets that are open in this process.'),
    smtpVerdicts: counter('smtp_verdicts_total', 'Recipients of inbound mail, by verdict.', 'verdict'),
    deliveries: counter('deliveries_total', 'Attempts to deliver to a recipient, by outcome.', 'outcome'),
    webhookAttempts: counter(
      'webhook_attempts_total',
      'Attempts to post an event to a webhook, by outcome of the delivery.',
      'outcome',
    ),
    diskFree: gauge('disk_free_bytes', 'Bytes that are free on the disk of a part of the server.', 'part'),
    databaseUp: gauge(
      'database_up',
      'Whether the database returned the figures of what waits: 1, or 0 if this response lacks them.',
    ),
    certificateEnds: gauge(
      'certificate_end_timestamp_seconds',
      'When the ACME certificate of a host expires, in seconds since 1970.',
      'hostname',
    ),
    certificateFailures: counter(
      'certificate_failures_total',
      'ACME certificate orders that failed in this process, by host.',
      'hostname',
    ),
    filesRead: counter(
      'search_files_total',
      'Attachments that this process has read for the search, by result.',
      'result',
    ),
    searchIndexed: counter('search_indexed_total', 'Messages that this process has indexed.'),
    embedded: counter('embedded_total', 'Messages that this process has embedded.'),
    embeddingFailures: counter(
      'embedding_failures_total',
      'Failures of the provider of vectors. After each, the server pauses before it tries again.',
    ),
    backlog: createBacklogMetrics(),
  };
}

/** The gauges of one thing that waits: how much of it, how many bytes, and how long the oldest has waited. */
export interface BacklogGauges {
  waiting?: Gauge<string>;
  bytes?: Gauge<string>;
  lagSeconds?: Gauge<string>;
}

/** Gauges of what waits in the whole server, in a registry of their own. Their keys are the parts that the function `backlog` returns. */
function createBacklogMetrics(): { registry: Registry; parts: Record<string, BacklogGauges> } {
  const registry = new Registry();
  return { registry, parts: { ...createMailGauges(registry), ...createSearchGauges(registry) } };
}

function createMailGauges(registry: Registry) {
  const { gauge } = makersIn(registry);
  return {
    delivery: {
      waiting: gauge(
        'delivery_pending_recipients',
        'Recipients whose delivery is pending, by status; those that will be retried are `deferred`.',
        'status',
      ),
      lagSeconds: gauge(
        'delivery_lag_seconds',
        'How long the longest-waiting recipient has been due, by status.',
        'status',
      ),
    },
    webhookLane: {
      waiting: gauge(
        'webhook_pending_deliveries',
        'Deliveries to webhooks that wait or are under way, by lane: `first` attempts and `retry`.',
        'lane',
      ),
    },
    webhook: {
      lagSeconds: gauge(
        'webhook_lag_seconds',
        'How long the longest-waiting delivery has been due, by state of its webhook: `working` or `failing`.',
        'state',
      ),
    },
    event: {
      waiting: gauge(
        'events_pending',
        'Events that wait for their place in the log (`order`), or to be matched with webhooks (`webhooks`).',
        'step',
      ),
      lagSeconds: gauge('events_lag_seconds', 'Age of the oldest of these events.', 'step'),
    },
    spool: {
      waiting: gauge('spool_mails', 'Acknowledged emails that cannot be read yet.'),
      bytes: gauge('spool_bytes', 'Bytes of these emails.'),
      lagSeconds: gauge('spool_lag_seconds', 'Age of the oldest of these emails.'),
    },
    unparsed: {
      waiting: gauge('unparsed_messages', 'Messages that have only a header until their mail is parsed.'),
    },
    approval: { waiting: gauge('approvals_held', 'Messages that wait for the approval of people.') },
  };
}

function createSearchGauges(registry: Registry) {
  const { gauge } = makersIn(registry);
  return {
    search: {
      waiting: gauge('search_pending_messages', 'Stored messages that are not in the search index yet.'),
      lagSeconds: gauge('search_lag_seconds', 'Age of the oldest message that waits to be indexed.'),
    },
    searchBackfill: {
      waiting: gauge(
        'search_backfill_workspaces',
        'Workspaces whose mail from before the search index is not indexed yet.',
      ),
    },
    files: {
      waiting: gauge('search_files_pending', 'Attachments whose text has not been read for the search yet.'),
    },
    embedding: {
      waiting: gauge(
        'embedding_pending_messages',
        'Messages that wait for a vector, new ones and older ones.',
      ),
      lagSeconds: gauge('embedding_lag_seconds', 'Age of the oldest new message that waits for a vector.'),
    },
    embeddingBackfill: {
      waiting: gauge(
        'embedding_backfill_workspaces',
        'Workspaces whose older messages have not all been checked for a vector yet.',
      ),
    },
  };
}

/** Returns functions that create metrics in a registry, by their name without the prefix, a sentence, and their labels. */
function makersIn(registry: Registry) {
  const configure = <Label extends string>(name: string, help: string, labelNames: Label[]) => ({
    name: brand.metricPrefix + name,
    help,
    labelNames,
    registers: [registry],
  });
  return {
    counter: <Label extends string = never>(name: string, help: string, ...labels: Label[]) =>
      new Counter(configure(name, help, labels)),
    gauge: <Label extends string = never>(name: string, help: string, ...labels: Label[]) =>
      new Gauge(configure(name, help, labels)),
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
