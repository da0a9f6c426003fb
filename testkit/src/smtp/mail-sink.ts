/*
 * An SMTP server for tests that can misbehave at every point of a session. It speaks the protocol over a plain socket and not through a
 * library, because libraries do not drop, hang or lie. It keeps every message that came in completely, whatever the reply was, so a test
 * can count how many copies of a message ever left the other side.
 */
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { SinkConversation } from './sink-conversation.ts';
import type {
  MailSinkOptions,
  ScriptedSink,
  SinkContent,
  SinkMessage,
  SinkPoint,
  SinkStep,
} from './sink-script.ts';

const defaultExtensions = ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES'];

/** A scripted SMTP server on this machine, by default on a free port of 127.0.0.1. */
export class MailSink implements ScriptedSink {
  /** Every message that came in completely, in order of arrival. */
  readonly messages: SinkMessage[] = [];
  /** Every content that began to come in, in the order of their first bytes. */
  readonly contents: SinkContent[] = [];
  /** The number of connections accepted so far. */
  connections = 0;
  /** The number of bytes of content so far, including those of messages that were cut off. */
  contentBytes = 0;
  /** Every command line, for tests of the protocol itself. */
  readonly commands: string[] = [];
  readonly options: MailSinkOptions;
  onSilence: () => Promise<void> = async () => undefined;
  readonly #server = createServer({ noDelay: true }, (socket) => this.#accept(socket));
  readonly #sockets = new Set<Socket>();
  readonly #steps: { step: SinkStep; passed: number; left: number }[] = [];
  readonly #listeners = new Set<() => void>();
  readonly #byRecipient = new Map<string, SinkMessage[]>();

  private constructor(options: MailSinkOptions) {
    this.options = { extensions: defaultExtensions, ...options };
  }

  /** Starts a sink that accepts everything until told otherwise. */
  static async start(options: MailSinkOptions = {}): Promise<MailSink> {
    const sink = new MailSink(options);
    const { port = 0, host = '127.0.0.1' } = options;
    sink.#server.listen(port, host);
    await once(sink.#server, 'listening');
    return sink;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The sink is not listening.');
    return address.port;
  }

  /** The number of open connections, without those blocked by a `hang` in the content, whose end cannot be seen. */
  get openConnections(): number {
    return [...this.#sockets].filter((socket) => !socket.isPaused()).length;
  }

  /** Cuts every connection and continues to listen. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Adds steps. At each point, the first step that fits acts. */
  script(...steps: SinkStep[]): void {
    for (const step of steps)
      this.#steps.push({ step, passed: 0, left: step.times ?? Number.POSITIVE_INFINITY });
  }

  /** Makes whatever is late from now on wait until the function that it returns is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.onSilence = () => promise;
    return resolve;
  }

  /** Accepts everything again. */
  clearScript(): void {
    this.#steps.length = 0;
  }

  /** Returns the messages for a recipient that came in completely, whatever the reply was. */
  copiesFor(recipient: string): SinkMessage[] {
    return this.#byRecipient.get(recipient) ?? [];
  }

  /** Resolves with the messages once there are `count`. Rejects after `timeoutMs`. */
  async waitForMessages(count: number, timeoutMs = 300_000): Promise<SinkMessage[]> {
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

  /** Stops listening and cuts every connection. Resolves once all are gone. */
  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  /** For conversations: returns the step that acts at a point now, and counts it as used. */
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

  /** For conversations: keeps a message that came in completely. */
  keep(message: SinkMessage): void {
    this.messages.push(message);
    for (const recipient of message.recipients)
      this.#byRecipient.set(recipient, [...(this.#byRecipient.get(recipient) ?? []), message]);
    for (const listener of this.#listeners) listener();
    this.#listeners.clear();
  }

  /** For conversations: notes the first byte of a content. */
  beginContent(recipients: string[]): SinkContent {
    const content: SinkContent = { recipients, begunAtMs: performance.now(), answeredAtMs: null };
    this.contents.push(content);
    return content;
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    this.connections += 1;
    new SinkConversation(this, socket, this.connections).begin();
  }
}
