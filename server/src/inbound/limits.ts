/*
 * The figures of inbound mail in each process, besides the slots and rates in `lib/admission/server-limits.ts`. The pace of mail, the
 * shares of senders and the batches are read at every decision, so tests and faults change them in place. How many senders and workspaces
 * are kept is read once, at the start.
 */

/** The number of recipients that one look-up finds. */
export const addressesPerQueryMax = 200;

/** The number of mails that can be stored directly at once. Further ones take the spool. */
export const directMailsMax = 4;

/** How many inboxes of a mail are stored at once, since each has a copy of the mail in memory. */
export const inboxesAtOnceMax = 2;

/** The memory that a piece of a mail takes in addition to its bytes, so that a mail in tiny pieces is not free. */
export const pieceBytes = 256;

/** Base64 adds a third to the largest file of a DMARC report, and the rest of such a mail is short. */
export const reportMailBytesMax = 2_097_152;

/** The time after which SNS is asked to deliver a mail of Amazon SES again. */
export const sesComeAgainSeconds = 20;

/** The number of senders whose bytes are remembered, each for one inbox. */
export const mailShareLimits: { sendersMax: number } = { sendersMax: 50_000 };

export const mailPaceLimits: {
  /** Half of what counts as one request in a response: at twice this rate, text made other workspaces wait over 0.1 s on two processors. */
  bytesPerRequest: number;
  /** The beginning of each mail that does not wait. */
  beginningBytes: number;
  /** The bytes that a part counts for in addition to its bytes while it may still become a file: each file takes a row and time. */
  partBytes: number;
  /** The longest that one mail waits in all. Clients wait for minutes (RFC 5321, section 4.5.3.2.5). */
  waitMsMax: number;
  /** The number of workspaces whose pace is remembered. */
  workspacesMax: number;
} = {
  bytesPerRequest: 131_072,
  beginningBytes: 65_536,
  partBytes: 8_192,
  waitMsMax: 30_000,
  workspacesMax: 10_000,
};

/** One commit to the spool, and one look-up in it. */
export const spoolLimits = { mailsMax: 128, bytesMax: 4_194_304, mailsPerQueryMax: 64 };

/** The search for acknowledged mail that no process is filing. */
export const strandedLimits = {
  lookAgainMs: 30_000,
  /** By then the process that spooled a mail has filed it long ago. If two processes file it at once, they make one message, too. */
  afterMs: 120_000,
  pageMails: 100,
};

/** Acknowledged mail on its way to becoming messages. */
export const backlogLimits = {
  /** Small enough to be filed before another process considers a mail stranded. */
  mailsMax: 30_000,
  /** Once the oldest mail of an inbox has waited this long, senders to the inbox wait. */
  oldestMsMax: 20_000,
  readAtOnceMax: 128,
  readAheadMax: 320,
  /**
   * With several batches, one is stored while another is prepared and a third waits for the disk. While mail arrives and none is overdue,
   * there is only one.
   */
  batchesAtOnce: { quiet: 3, busy: 1 },
  /** A mail waits this long for others, because a batch costs half as much for each mail. With this many mails the wait ends early. */
  gatherMs: 25,
  gatherMails: 32,
  retryMs: 1_000,
  checkMs: 5,
};

/** The bytes of mail in the backlog that are kept in memory, and those of small mail. The others are read from the spool. */
export const keptBytesLimits = { all: 33_554_432, small: 67_108_864, smallBytesMax: 65_536 };

/** A mail with this many bytes or files takes as much time as a small mail, and one more turn of its inbox. */
export const turnLimits = { bytes: 65_536, files: 10 };

/** The most that one transaction stores. */
export const batchLimits = {
  mailsMax: 64,
  bytesMax: 8_388_608,
  /** Each is a row. */
  filesMax: 256,
};

export const filingPaceLimits = {
  /** While mail arrives, filing rests four times as long as it worked, so that most of the machine is left for acknowledging. */
  rest: { share: 4, msMax: 500 },
  /** Once a mail has waited this long, filing does not rest: its reader comes before the senders of new mail. */
  overdueMs: 3_000,
  /** After this long without new mail, filing has the machine to itself. */
  quietMs: 100,
  lookMs: 20,
};
