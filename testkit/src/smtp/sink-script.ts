/** The point of a session at which a step acts. `content` is in the middle of the message, and `dot` after its end. */
export type SinkPoint =
  | 'greeting'
  | 'ehlo'
  | 'starttls'
  | 'auth'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'content'
  | 'dot'
  | 'rset'
  | 'quit';

/** The behaviour of the sink at a point, instead of acceptance. */
export interface SinkStep {
  at: SinkPoint;
  /** Limits the step to this recipient, which is not known at points before RCPT. */
  recipient?: string;
  /** How many times the step acts; always by default. */
  times?: number;
  /** The number of occasions before the step begins to act. */
  after?: number;
  /** The lines of the reply, joined by CRLF, such as `550 5.1.1 No such user`. */
  reply?: string;
  /** Leaves out the line end after the reply. */
  unterminated?: boolean;
  /** Closes the connection, after the reply if there is one. */
  drop?: boolean;
  /** Sends no reply and reads no further. */
  hang?: boolean;
  delayMs?: number;
  /** Waits for this before the reply, for tests that look at what happens meanwhile. */
  until?: Promise<unknown>;
  /** Writes the reply byte by byte with this pause in between. */
  dripMs?: number;
  /** For `content` only: acts once this number of bytes of the message came in. */
  afterBytes?: number;
}

/** A message whose final dot came in. */
export interface SinkMessage {
  from: string;
  recipients: string[];
  /** The bytes of the message without dot stuffing. */
  raw: Buffer;
  messageId: string | null;
  /** The reply to the final dot; null if the connection was dropped or left hanging instead. */
  answer: string | null;
  /** Parameters of MAIL FROM, such as `SMTPUTF8`. */
  mailParameters: string[];
  encrypted: boolean;
  /** The number of the connection, counted from 1. */
  connection: number;
}

/** The content of a message, of which at least a byte came in. Times are those of `performance.now()`. */
export interface SinkContent {
  recipients: string[];
  begunAtMs: number;
  /** When it got its reply; null if it did not. */
  answeredAtMs: number | null;
}

/** The options of a sink. */
export interface MailSinkOptions {
  /** An address of this machine, such as 127.0.0.2. */
  host?: string;
  port?: number;
  /** Offers STARTTLS. With `implicitTls`, it speaks TLS from the start. */
  tls?: { cert: string; key: string };
  implicitTls?: boolean;
  auth?: { user: string; pass: string };
  /** PLAIN and LOGIN by default. */
  authMethods?: string;
  /** Extensions besides STARTTLS and AUTH. */
  extensions?: string[];
}

/** The parts of a sink that a conversation needs. */
export interface ScriptedSink {
  readonly options: MailSinkOptions;
  readonly commands: string[];
  contentBytes: number;
  /** Returns the step that acts at a point, if one does, and counts it as used. */
  takeStep(at: SinkPoint, recipients: string[]): SinkStep | undefined;
  keep(message: SinkMessage): void;
  /** Called whenever a step makes the sink late or silent. A step that is late waits for it. */
  onSilence(): Promise<void>;
  /** Notes the first byte of a content. */
  beginContent(recipients: string[]): SinkContent;
}
