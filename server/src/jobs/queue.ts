import { randomUUID } from 'node:crypto';
import { fromKysely, type Job, type JobResult, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { Db } from '../db/tables.ts';
import type { Wakeups } from '../db/wakeups.ts';

/** A kind of job: its name, the function that runs it and, if it runs on a schedule, its cron expression in UTC. */
export interface JobDefinition<Data extends object> {
  name: string;
  /** Runs one job. After a crash it may run twice for the same job, so it must be idempotent. */
  run(data: Data): Promise<void>;
  cron?: string;
  /** Whether people wait for it, so that it is tried again soon. */
  isAwaited?: boolean;
}

/** Work that is not on the path of a request or a mail. */
export interface Queue {
  /** Adds a job in the transaction of the caller: it runs if and only if that commits. */
  enqueue<Data extends object>(ctx: { db: Db; wakeups: Wakeups }, name: string, data: Data): Promise<void>;
  /** Starts running jobs. */
  work(deps: { wakeups: Wakeups; lookAgainMs: number }, jobs: JobDefinition<never>[]): Promise<void>;
  /** Waits up to `graceMs` for running jobs. Jobs that do not finish are run again after the next start. */
  stop(graceMs: number): Promise<void>;
}

const retries = { retryLimit: 20, retryDelay: 5, retryBackoff: true };
/** Each kind of job is polled for, and only a retry or a job whose wake-up was lost is found so. */
const looksPerPoll = { awaited: 1, others: 6 };
/** Our jobs depend on no others, and none of them is due at a certain second. */
const rareWork = { flowIntervalSeconds: 60, cronWorkerIntervalSeconds: 45, cronMonitorIntervalSeconds: 45 };
/** As pg-boss demands. */
const pollSecondsLeast = 0.5;
/** A full batch is followed by the next one at once, so that many jobs need not wait for many polls. */
const batches = { batchSize: 10, burstWhenBatchFull: true, perJobResults: true } as const;

/**
 * Opens pg-boss over the pool that everything else uses. Every process creates the queues, even if it does not run the jobs, because a
 * request may add a job before a worker has ever started.
 */
export async function openQueue(database: Database, names: string[], log: Logger): Promise<Queue> {
  const boss = new PgBoss({
    db: { executeSql: (text, values) => run(database, text, values) },
    ...rareWork,
  });
  boss.on('error', (error) => log.error({ err: error }, 'the job queue failed'));
  await boss.start();
  for (const name of names) await prepare(boss, name);
  const unlisten: (() => void)[] = [];
  return {
    enqueue: async ({ db, wakeups }, name, data) => {
      await boss.send(name, data, { db: fromKysely(db as never) });
      wakeups.wakeOnCommit(name, 'jobs');
    },
    work: async ({ wakeups, lookAgainMs }, jobs) => {
      for (const job of jobs) {
        const looks = job.isAwaited ? looksPerPoll.awaited : looksPerPoll.others;
        const pollingIntervalSeconds = Math.max(pollSecondsLeast, (looks * lookAgainMs) / 1_000);
        const worker = await boss.work(job.name, { ...batches, pollingIntervalSeconds }, (batch) =>
          runBatch(job, batch, log),
        );
        unlisten.push(wakeups.listen(job.name, () => boss.notifyWorker(worker), 'jobs'));
        if (job.cron) await boss.schedule(job.name, job.cron);
      }
    },
    stop: (graceMs) => {
      for (const end of unlisten) end();
      return boss.stop({ graceful: true, timeout: graceMs });
    },
  };
}

/** The look-up makes pg-boss keep its data about the queue, which it could not fetch within a caller's transaction. */
async function prepare(boss: PgBoss, name: string): Promise<void> {
  await boss.createQueue(name, { ...retries, policy: 'standard' });
  await boss.findJobs(name, { id: randomUUID() });
}

/** Runs one job after another. A failed job is run again without the others. */
async function runBatch(job: JobDefinition<never>, batch: Job<unknown>[], log: Logger): Promise<JobResult[]> {
  const results: JobResult[] = [];
  for (const { id, data } of batch) {
    try {
      await job.run(data as never);
      results.push({ id, status: 'completed' });
    } catch (error) {
      log.error({ err: error, job: job.name, jobId: id }, 'a job failed and will be retried');
      results.push({ id, status: 'failed', output: { message: String(error) } });
    }
  }
  return results;
}

/** A script of several statements has one result for each, and pg-boss needs the rows of all of them. */
async function run(database: Database, text: string, values?: unknown[]) {
  const results: unknown = await (values?.length
    ? database.pool.query(text, values)
    : database.pool.query(text));
  const list = (Array.isArray(results) ? results : [results]) as { rows?: unknown[] }[];
  return { rows: list.flatMap((result) => result.rows ?? []) };
}
