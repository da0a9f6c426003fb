import { randomUUID } from 'node:crypto';
import { fromKysely, type Job, type JobResult, PgBoss } from 'pg-boss';
import type { Logger } from 'pino';
import type { Database, Db } from '../db/database.ts';

/** A kind of job: its name, what runs it, and, when it runs by the clock, its cron expression in UTC. */
export interface JobDefinition<Data extends object> {
  name: string;
  /** Runs one job. May run twice for one job after a crash, so it must not mind. */
  run(data: Data): Promise<void>;
  cron?: string;
}

/** Work that is not on the path of a request or a mail. */
export interface Queue {
  /** Adds a job in the transaction of `db`: it runs if and only if that commits. */
  enqueue<Data extends object>(db: Db, name: string, data: Data): Promise<void>;
  /** Starts running jobs. */
  work(jobs: JobDefinition<never>[]): Promise<void>;
  /** Waits up to `graceMs` for running jobs, which are otherwise run again after the next start. */
  stop(graceMs: number): Promise<void>;
}

const retries = { retryLimit: 20, retryDelay: 5, retryBackoff: true };
const pollingIntervalSeconds = 2;
/** A batch that was full is followed by the next one at once, so that many jobs need not wait for as many polls. */
const batches = { batchSize: 10, burstWhenBatchFull: true, perJobResults: true } as const;

/**
 * pg-boss over the pool that everything else uses. Every process makes the queues, whichever of them will run the jobs, since
 * a request may add one before a worker has ever started.
 */
export const openQueue = async (database: Database, names: string[], log: Logger): Promise<Queue> => {
  const boss = new PgBoss({
    backend: database.kind === 'embedded' ? 'pglite' : 'postgres',
    db: { executeSql: (text, values) => run(database, text, values) },
  });
  boss.on('error', (error) => log.error({ err: error }, 'the job queue failed'));
  await boss.start();
  for (const name of names) await prepare(boss, name);
  return {
    enqueue: async (db, name, data) => {
      await boss.send(name, data, { db: fromKysely(db as never) });
    },
    work: async (jobs) => {
      for (const job of jobs) {
        await boss.work(job.name, { ...batches, pollingIntervalSeconds }, (batch) =>
          runBatch(job, batch, log),
        );
        if (job.cron) await boss.schedule(job.name, job.cron);
      }
    },
    stop: (graceMs) => boss.stop({ graceful: true, timeout: graceMs }),
  };
};

/** The look-up has pg-boss keep what it knows of the queue, which it could not fetch within a caller's transaction. */
const prepare = async (boss: PgBoss, name: string): Promise<void> => {
  await boss.createQueue(name, { ...retries, policy: 'standard' });
  await boss.findJobs(name, { id: randomUUID() });
};

/** Runs one job after another; one that fails is run again by itself. */
const runBatch = async (
  job: JobDefinition<never>,
  batch: Job<unknown>[],
  log: Logger,
): Promise<JobResult[]> => {
  const results: JobResult[] = [];
  for (const { id, data } of batch) {
    try {
      await job.run(data as never);
      results.push({ id, status: 'completed' });
    } catch (error) {
      log.error({ err: error, job: job.name, jobId: id }, 'a job failed and is run again later');
      results.push({ id, status: 'failed', output: { message: String(error) } });
    }
  }
  return results;
};

/** Scripts of several statements answer one result each; pg-boss wants all rows of them. */
const run = async (database: Database, text: string, values?: unknown[]) => {
  const results: unknown = await (values?.length
    ? database.pool.query(text, values)
    : database.pool.query(text));
  const list = (Array.isArray(results) ? results : [results]) as { rows?: unknown[] }[];
  return { rows: list.flatMap((result) => result.rows ?? []) };
};
