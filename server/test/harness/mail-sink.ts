/*
 * An SMTP server for tests that can misbehave at every point of a session. It speaks the protocol over a plain socket and
 * not through a library, because libraries do not drop, hang or lie. Everything that came in whole is kept, whatever was
 * answered, so a test can count how many copies of a message ever left the other side.
 */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { SinkConversation } from './sink-conversation.ts';

/** Where in a session a step acts; `content` is in the middle of the message, `dot` after its end. */
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

/** What the sink does at a point instead of agreeing. */
export interface SinkStep {
  at: SinkPoint;
  /** Only for this recipient; at points before RCPT a step cannot know it. */
  recipient?: string;
  /** How many times the step acts; always, unless given. */
  times?: number;
  /** Lets this many occasions pass before the step begins to act. */
  after?: number;
  /** The lines to answer, joined by CRLF, such as `550 5.1.1 No such user`. */
  reply?: string;
  /** Leaves out the line end after the reply. */
  unterminated?: boolean;
  /** Closes the connection, after the reply if there is one. */
  drop?: boolean;
  /** Answers nothing and reads no further. */
  hang?: boolean;
  delayMs?: number;
  /** Writes the answer byte by byte with this pause between. */
  dripMs?: number;
  /** `content` only: acts once so many bytes of the message came in. */
  afterBytes?: number;
}

/** A message whose final dot came in. */
export interface SinkMessage {
  from: string;
  recipients: string[];
  /** The bytes of the message without dot stuffing. */
  raw: Buffer;
  messageId: string | null;
  /** What was answered to the final dot; null when the connection was dropped or left hanging instead. */
  answer: string | null;
  /** Parameters of MAIL FROM, such as `SMTPUTF8`. */
  mailParameters: string[];
  encrypted: boolean;
  /** Counts connections from 1. */
  connection: number;
}

/** What the sink offers. */
export interface MailSinkOptions {
  /** Offers STARTTLS; with `implicitTls` it speaks TLS from the start. */
  tls?: { cert: string; key: string };
  implicitTls?: boolean;
  auth?: { user: string; pass: string };
  /** PLAIN and LOGIN, unless given. */
  authMethods?: string;
  /** Extensions besides STARTTLS and AUTH. */
  extensions?: string[];
}

const defaultExtensions = ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES'];

/** A scripted SMTP server on a free port of 127.0.0.1. */
export class MailSink {
  /** Every message that came in whole, in order of arrival. */
  readonly messages: SinkMessage[] = [];
  /** How many connections were accepted so far. */
  connections = 0;
  /** How many bytes of content came in so far, of messages that were cut off too. */
  contentBytes = 0;
  /** Every command line, for tests of the protocol itself. */
  readonly commands: string[] = [];
  readonly options: MailSinkOptions;
  readonly #server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  readonly #sockets = new Set<Socket>();
  readonly #steps: { step: SinkStep; passed: number; left: number }[] = [];
  readonly #listeners = new Set<() => void>();

  private constructor(options: MailSinkOptions) {
    this.options = { extensions: defaultExtensions, ...options };
  }

  /** Starts a sink that agrees with everything until told otherwise. */
  static async start(options: MailSinkOptions = {}): Promise<MailSink> {
    const sink = new MailSink(options);
    sink.#server.listen(0, '127.0.0.1');
    await once(sink.#server, 'listening');
    return sink;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The sink is not listening.');
    return address.port;
  }

  /** How many connections are open now, without those blocked by a `hang` in the content, whose end cannot be seen. */
  get openConnections(): number {
    return [...this.#sockets].filter((socket) => !socket.isPaused()).length;
  }

  /** Cuts every connection and goes on listening. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Adds a step; at one point the first that fits acts. */
  script(...steps: SinkStep[]): void {
    for (const step of steps)
      this.#steps.push({ step, passed: 0, left: step.times ?? Number.POSITIVE_INFINITY });
  }

  /** Agrees with everything again. */
  clearScript(): void {
    this.#steps.length = 0;
  }

  /** The messages that came in whole for a recipient, answered or not. */
  copiesFor(recipient: string): SinkMessage[] {
    return this.messages.filter((message) => message.recipients.includes(recipient));
  }

  /** Resolves with the messages once there are `count`; rejects after `timeoutMs`. */
  async waitForMessages(count: number, timeoutMs = 10_000): Promise<SinkMessage[]> {
    const deadline = AbortSignal.timeout(timeoutMs);
    while (this.messages.length < count) {
      await new Promise<void>((resolve, reject) => {
        const failed = () =>
          reject(
            new Error(
              `The sink holds ${this.messages.length} messages, not ${count}, after ${timeoutMs} ms.`,
            ),
          );
        deadline.addEventListener('abort', failed, { once: true });
        this.#listeners.add(resolve);
      });
    }
    return this.messages;
  }

  /** Stops listening and cuts every connection; resolves when all are gone. */
  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  /** For conversations: the step that acts at a point now, counted as used. */
  takeStep(at: SinkPoint, recipients: string[]): SinkStep | undefined {
    for (const entry of this.#steps) {
      const { step } = entry;
      if (step.at !== at || entry.left <= 0) continue;
      if (step.recipient !== undefined && !recipients.includes(step.recipient)) continue;
      entry.passed += 1;
      if (entry.passed <= (step.after ?? 0)) continue;
      entry.left -= 1;
      return step;
    }
    return undefined;
  }

  /** For conversations: keeps a message that came in whole. */
  keep(message: SinkMessage): void {
    this.messages.push(message);
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    this.connections += 1;
    new SinkConversation(this, socket, this.connections).begin();
  }
}
