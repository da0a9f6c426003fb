/** A panel of the dashboard. */
export interface Panel {
  title: string;
  /** The unit as Grafana names it. */
  unit: string;
  /** Each line: its expression, and its name as a template of labels. */
  queries: Record<string, string>;
  /** A large figure, in place of lines over time. */
  isFigure?: true;
}

/** A row of the dashboard. */
export interface Row {
  title: string;
  panels: Panel[];
}

/** Every process has the same figures of the whole server, or none if it cannot reach the database. */
function greatest(metric: string, label = ''): string {
  return `max${label && ` by (${label}) `}(postrider_${metric}{instance=~"$instance"})`;
}

/** Counters are of each process. */
function perSecond(metric: string, label = ''): string {
  return `sum${label && ` by (${label}) `}(rate(postrider_${metric}{instance=~"$instance"}[$__rate_interval]))`;
}

function ofProcess(expression: string): string {
  return expression.replace(/\b(?:postrider|process|nodejs)_\w+/g, '$&{instance=~"$$instance"}');
}

function requestsWithin(share: number, label: string): string {
  return `histogram_quantile(${share}, ${perSecond('http_request_seconds_bucket', label)})`;
}

/** The dashboard from top to bottom. */
export const rows: Row[] = [
  {
    title: 'At a glance',
    panels: [
      {
        title: 'Database',
        unit: 'bool_on_off',
        isFigure: true,
        queries: { up: ofProcess('min(postrider_database_up)') },
      },
      {
        title: 'Mail in the spool',
        unit: 'short',
        isFigure: true,
        queries: { mails: greatest('spool_mails') },
      },
      {
        title: 'Waiting recipients',
        unit: 'short',
        isFigure: true,
        queries: { recipients: `sum(${greatest('delivery_pending_recipients', 'status')})` },
      },
      {
        title: 'Waiting webhook deliveries',
        unit: 'short',
        isFigure: true,
        queries: { deliveries: `sum(${greatest('webhook_pending_deliveries', 'lane')})` },
      },
      {
        title: 'Search index lag',
        unit: 's',
        isFigure: true,
        queries: { age: greatest('search_lag_seconds') },
      },
      {
        title: 'Messages waiting for approval',
        unit: 'short',
        isFigure: true,
        queries: { messages: greatest('approvals_held') },
      },
    ],
  },
  {
    title: 'Mail in',
    panels: [
      {
        title: 'Recipients by verdict',
        unit: 'ops',
        queries: { '{{verdict}}': perSecond('smtp_verdicts_total', 'verdict') },
      },
      {
        title: 'Spool',
        unit: 'short',
        queries: { mails: greatest('spool_mails'), 'not parsed yet': greatest('unparsed_messages') },
      },
      { title: 'Spool, bytes', unit: 'bytes', queries: { bytes: greatest('spool_bytes') } },
      { title: 'Oldest mail in the spool', unit: 's', queries: { age: greatest('spool_lag_seconds') } },
    ],
  },
  {
    title: 'Mail out',
    panels: [
      {
        title: 'Attempts by outcome',
        unit: 'ops',
        queries: { '{{outcome}}': perSecond('deliveries_total', 'outcome') },
      },
      {
        title: 'Waiting recipients',
        unit: 'short',
        queries: { '{{status}}': greatest('delivery_pending_recipients', 'status') },
      },
      {
        title: 'Oldest overdue recipient',
        unit: 's',
        queries: { '{{status}}': greatest('delivery_lag_seconds', 'status') },
      },
      { title: 'Held for approval', unit: 'short', queries: { messages: greatest('approvals_held') } },
    ],
  },
  {
    title: 'Events and webhooks',
    panels: [
      {
        title: 'Attempts by outcome',
        unit: 'ops',
        queries: { '{{outcome}}': perSecond('webhook_attempts_total', 'outcome') },
      },
      {
        title: 'Waiting deliveries',
        unit: 'short',
        queries: { '{{lane}}': greatest('webhook_pending_deliveries', 'lane') },
      },
      {
        title: 'Oldest overdue delivery, by state of the webhook',
        unit: 's',
        queries: { '{{state}}': greatest('webhook_lag_seconds', 'state') },
      },
      {
        title: 'Waiting events',
        unit: 'short',
        queries: { '{{step}}': greatest('events_pending', 'step') },
      },
      {
        title: 'Oldest waiting event',
        unit: 's',
        queries: { '{{step}}': greatest('events_lag_seconds', 'step') },
      },
      {
        title: 'Realtime sockets',
        unit: 'short',
        queries: { '{{instance}}': ofProcess('postrider_realtime_sockets') },
      },
    ],
  },
  {
    title: 'Search',
    panels: [
      {
        title: 'Messages indexed',
        unit: 'ops',
        queries: { indexed: perSecond('search_indexed_total'), embedded: perSecond('embedded_total') },
      },
      {
        title: 'Waiting messages',
        unit: 'short',
        queries: {
          index: greatest('search_pending_messages'),
          vectors: greatest('embedding_pending_messages'),
        },
      },
      {
        title: 'Oldest waiting message',
        unit: 's',
        queries: { index: greatest('search_lag_seconds'), vectors: greatest('embedding_lag_seconds') },
      },
      {
        title: 'Attachments read, by result',
        unit: 'ops',
        queries: { '{{result}}': perSecond('search_files_total', 'result') },
      },
      {
        title: 'Waiting attachments',
        unit: 'short',
        queries: { attachments: greatest('search_files_pending') },
      },
      {
        title: 'Workspaces with older mail to index',
        unit: 'short',
        queries: {
          index: greatest('search_backfill_workspaces'),
          vectors: greatest('embedding_backfill_workspaces'),
        },
      },
      {
        title: 'Embedding failures',
        unit: 'ops',
        queries: { failures: perSecond('embedding_failures_total') },
      },
    ],
  },
  {
    title: 'API',
    panels: [
      {
        title: 'Requests by status',
        unit: 'reqps',
        queries: { '{{status}}': perSecond('http_request_seconds_count', 'status') },
      },
      {
        title: 'Response time',
        unit: 's',
        queries: {
          median: requestsWithin(0.5, 'le'),
          '95 %': requestsWithin(0.95, 'le'),
          '99 %': requestsWithin(0.99, 'le'),
        },
      },
      {
        title: 'Slowest routes, 95 %',
        unit: 's',
        queries: { '{{method}} {{route}}': `topk(5, ${requestsWithin(0.95, 'le, method, route')})` },
      },
    ],
  },
  {
    title: 'Processes',
    panels: [
      {
        title: 'Event loop busy',
        unit: 'percentunit',
        queries: { '{{instance}}': ofProcess('postrider_eventloop_utilization_ratio') },
      },
      {
        title: 'Processor',
        unit: 'percentunit',
        queries: { '{{instance}}': `rate(${ofProcess('process_cpu_seconds_total')}[$__rate_interval])` },
      },
      {
        title: 'Memory',
        unit: 'bytes',
        queries: {
          '{{instance}}': ofProcess('process_resident_memory_bytes'),
          '{{instance}} heap': ofProcess('nodejs_heap_size_used_bytes'),
        },
      },
      { title: 'Open files', unit: 'short', queries: { '{{instance}}': ofProcess('process_open_fds') } },
      {
        title: 'Free disk space',
        unit: 'bytes',
        queries: { '{{instance}} {{part}}': ofProcess('postrider_disk_free_bytes') },
      },
      {
        title: 'Certificates expire in',
        unit: 's',
        queries: {
          '{{hostname}}': `min by (hostname) (${ofProcess('postrider_certificate_end_timestamp_seconds')}) - time()`,
        },
      },
      {
        title: 'Failed certificate orders',
        unit: 'short',
        queries: {
          '{{hostname}}': `sum by (hostname) (${ofProcess('postrider_certificate_failures_total')})`,
        },
      },
    ],
  },
];
