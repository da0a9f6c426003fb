/** A workspace that gets mails. */
export interface SeededWorkspace {
  id: string;
  inboxes: { id: string; address: string }[];
  /** The buckets of its search index, each with its number and block. */
  buckets: { number: number; block: number }[];
}

/** The mails to write: those numbered from `from` to below `to`. */
export interface MailSeed {
  seed: number;
  /** How many messages a bucket of the search index has. */
  bucketMessages: number;
  /** When the first mail came, in milliseconds since 1970. */
  firstTime: number;
  workspaces: SeededWorkspace[];
  from: number;
  to: number;
}

/** Mails for Postgres. */
export interface PostgresSeed {
  databaseUrl: string;
  /** Null without a naive search. */
  naiveUrl: string | null;
  mails: MailSeed;
}

/** The messages of a bucket, as the server fills them. */
export const bucketMessages = 1_024;

/** The time between two mails. */
export const secondsApart = 10;
