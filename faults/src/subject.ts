import {
  type PostgresOptions,
  startPostgres,
  type TestPostgres,
} from '@postrider/testkit/database/postgres.ts';
import { makeServerHome, type ServerHome } from '@postrider/testkit/servers/server-process.ts';
import type { MailSink } from '@postrider/testkit/smtp/mail-sink.ts';
import type { Trial } from './trial.ts';

/** A folder and database of servers, which a trial may break. */
export interface Subject {
  home: ServerHome;
  /** Null on the database that the server starts itself. */
  postgres: TestPostgres | null;
  close(): Promise<void>;
}

/** The special settings of a subject. */
export interface SubjectOptions {
  env?: Record<string, string>;
  /** The folder for the data of the server. */
  dataParent?: string;
  postgres?: PostgresOptions;
  /** The checkout whose server is started; by default this one. */
  checkout?: string;
}

/** Creates a subject on the trial's kind of database, which writes through to the disk as it does in production. */
export async function openSubject(trial: Trial, options: SubjectOptions = {}): Promise<Subject> {
  const { env = {}, dataParent } = options;
  const postgres =
    trial.database === 'postgres' ? await startPostgres({ fsync: true, ...options.postgres }) : null;
  try {
    const databaseUrl = (await postgres?.createDatabase()) ?? null;
    const home = await makeServerHome(
      { POSTRIDER_RATE_LIMITS: 'off', ...env },
      {
        database: databaseUrl ? { DATABASE_URL: databaseUrl } : {},
        ...(dataParent ? { parent: dataParent } : {}),
        ...(options.checkout ? { checkout: options.checkout } : {}),
      },
    );
    const close = async () => {
      await home.remove();
      await postgres?.stop({ mode: 'immediate' });
    };
    return { home, postgres, close };
  } catch (error) {
    await postgres?.stop({ mode: 'immediate' });
    throw error;
  }
}

/** Returns the settings with which a server sends through a sink, with waits short enough to see its retries. */
export function sendsThrough(sink: MailSink): Record<string, string> {
  return {
    POSTRIDER_TRANSPORT: 'smtp',
    POSTRIDER_SMTP_RELAY: `smtp://127.0.0.1:${sink.port}?tls=never`,
    POSTRIDER_TIME_SCALE: '60',
  };
}
