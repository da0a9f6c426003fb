import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** A reply as it came over the wire. `lines` has all lines of a multi-line reply. */
export interface RawReply {
  code: number;
  lines: string[];
}

/**
 * An SMTP client that sends exactly what it is told to, for scripts that no polite client would write. Every wait throws after `waitMs`.
 */
export class RawSmtpClient {
  #socket: Socket;
  #text = '';
  #closed = false;
  #wake: () => void = () => undefined;
  readonly #waitMs: number;

  private constructor(socket: Socket, waitMs: number) {
    this.#socket = socket;
    this.#waitMs = waitMs;
    this.#listen();
  }

  /** Connects without waiting for the greeting. */
  static async connect(port: number, waitMs = 300_000, localAddress?: string): Promise<RawSmtpClient> {
    const socket = connectPlain({ port, host: '127.0.0.1', ...(localAddress ? { localAddress } : {}) });
    await once(socket, 'connect');
    return new RawSmtpClient(socket, waitMs);
  }

  /** Connects, reads the greeting and introduces itself. */
  static async greet(port: number, waitMs?: number): Promise<RawSmtpClient> {
    const client = await RawSmtpClient.connect(port, waitMs);
    await client.reply();
    await client.command('EHLO client.example');
    return client;
  }

  /** Sends bytes as they are. Text is sent as UTF-8. */
  write(bytes: string | Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** Sends a line and reads its reply. */
  command(line: string): Promise<RawReply> {
    this.write(`${line}\r\n`);
    return this.reply();
  }

  /** Sends lines one after another and returns the codes of their replies. */
  async codes(...lines: string[]): Promise<number[]> {
    const codes: number[] = [];
    for (const line of lines) codes.push((await this.command(line)).code);
    return codes;
  }

  /** Runs a whole transaction with one recipient. `data` must have its own end. Returns the reply to it. */
  async deliver(
    data: string | Uint8Array,
    from = 'a@sender.example',
    to = 'bob@inbox.example',
  ): Promise<RawReply> {
    await this.codes(`MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA');
    this.write(data);
    return this.reply();
  }

  /** Returns the next reply. */
  async reply(): Promise<RawReply> {
    const found = await this.#until(() => /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\n/.exec(this.#text)?.[0]);
    this.#text = this.#text.slice(found.length);
    const lines = found.split('\r\n').slice(0, -1);
    return { code: Number(found.slice(0, 3)), lines };
  }

  /**
   * Starts a TLS session on the connection, as after STARTTLS, and asks for the certificate of a host if one is named. Returns the SHA-256
   * of the certificate that the server presents.
   */
  async secure(servername?: string): Promise<string | undefined> {
    this.#socket.removeAllListeners();
    const names = servername === undefined ? {} : { servername };
    const secured = connectTls({ socket: this.#socket, rejectUnauthorized: false, ...names });
    this.#socket = secured;
    this.#listen();
    await once(secured, 'secureConnect');
    return secured.getPeerX509Certificate()?.fingerprint256;
  }

  /** Waits until the server has closed the connection. Returns the text that was not read yet. */
  async closed(): Promise<string> {
    await this.#until(() => (this.#closed ? true : undefined));
    return this.#text;
  }

  /** Closes this side. The server may still send. */
  halfClose(): void {
    this.#socket.end();
  }

  /** Disconnects at once, without QUIT. */
  destroy(): void {
    this.#socket.destroy();
  }

  #listen(): void {
    this.#socket.setEncoding('utf8');
    this.#socket.on('data', (text: string) => {
      this.#text += text;
      this.#wake();
    });
    for (const event of ['end', 'close', 'error'])
      this.#socket.on(event, () => {
        this.#closed = true;
        this.#wake();
      });
  }

  async #until<T>(look: () => T | undefined): Promise<T> {
    const deadline = performance.now() + this.#waitMs;
    for (;;) {
      const found = look();
      if (found !== undefined) return found;
      if (this.#closed) throw new Error(`The server closed the connection after: ${this.#text}`);
      if (performance.now() > deadline)
        throw new Error(`No answer in ${this.#waitMs} ms; so far: ${this.#text}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, deadline - performance.now() + 1);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}
