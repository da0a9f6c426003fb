import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { TLSSocket } from 'node:tls';
import { DotReader } from './dot-reader.ts';
import type { ScriptedSink, SinkContent, SinkMessage, SinkPoint, SinkStep } from './sink-script.ts';

/** One connection to a mail sink. It reads commands and content in order, and asks the script before each reply. */
export class SinkConversation {
  readonly #sink: ScriptedSink;
  readonly #plain: Socket;
  readonly #number: number;
  #socket: Socket;
  #waiting: Buffer[] = [];
  #content: DotReader | null = null;
  #contentStep: SinkStep | undefined;
  #noted: SinkContent | null = null;
  #earlyAnswer: string | null = null;
  #busy = false;
  #hung = false;
  #dripMs: number | undefined;
  #loginSteps = 0;
  #from: string | null = null;
  #mailParameters: string[] = [];
  #recipients: string[] = [];

  constructor(sink: ScriptedSink, socket: Socket, number: number) {
    this.#sink = sink;
    this.#plain = socket;
    this.#socket = socket;
    this.#number = number;
  }

  /** Greets and starts to listen. */
  begin(): void {
    this.#plain.on('error', () => {});
    if (this.#sink.options.implicitTls) this.#encrypt();
    else this.#listen(this.#socket);
    void this.#work(() => this.#answer('greeting', '220 sink.test ESMTP'));
  }

  #listen(socket: Socket): void {
    socket.on('data', (chunk: Buffer) => {
      if (this.#hung) return;
      this.#waiting.push(chunk);
      void this.#work();
    });
    socket.on('end', () => socket.end());
  }

  #encrypt(): void {
    this.#plain.removeAllListeners('data');
    const secure = new TLSSocket(this.#plain, { isServer: true, ...this.#sink.options.tls });
    secure.on('error', () => {});
    this.#socket = secure;
    this.#waiting = [];
    this.#listen(secure);
  }

  /** Handles the input, one thing at a time, because a reply may be delayed. */
  async #work(first?: () => Promise<void>): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    await first?.();
    while (!this.#hung && (this.#content ? await this.#readContent(this.#content) : await this.#readLine()));
    this.#busy = false;
  }

  async #readLine(): Promise<boolean> {
    const input = Buffer.concat(this.#waiting);
    const end = input.indexOf('\r\n');
    this.#waiting = input.length === 0 ? [] : [input.subarray(end < 0 ? 0 : end + 2)];
    if (end < 0) return false;
    await this.#obey(input.toString('utf8', 0, end));
    return true;
  }

  async #obey(line: string): Promise<void> {
    this.#sink.commands.push(line);
    if (this.#loginSteps > 0) return this.#login(line);
    const verb = line.split(/[ :]/, 1)[0]?.toUpperCase() ?? '';
    if (verb === 'EHLO' || verb === 'HELO') return this.#answer('ehlo', this.#extensions(verb));
    if (verb === 'STARTTLS') return this.#startTls();
    if (verb === 'AUTH') return this.#login(line);
    if (verb === 'MAIL') return this.#mail(line);
    if (verb === 'RCPT') return this.#rcpt(line);
    if (verb === 'DATA') return this.#data();
    if (verb === 'RSET') {
      this.#forgetTransaction();
      return this.#answer('rset', '250 2.0.0 Flushed');
    }
    if (verb === 'NOOP') return this.#write('250 2.0.0 Ok');
    if (verb !== 'QUIT') return this.#write('502 5.5.1 Unknown command');
    await this.#answer('quit', '221 2.0.0 Bye');
    if (!this.#hung) this.#socket.end();
  }

  #extensions(verb: string): string {
    const { tls, auth, authMethods = 'PLAIN LOGIN', extensions = [] } = this.#sink.options;
    const offered = [...extensions];
    if (tls && !this.#isEncrypted()) offered.push('STARTTLS');
    if (auth) offered.push(`AUTH ${authMethods}`);
    const lines = verb === 'HELO' ? ['sink.test'] : ['sink.test', ...offered];
    return lines.map((line, index) => `250${index < lines.length - 1 ? '-' : ' '}${line}`).join('\r\n');
  }

  async #startTls(): Promise<void> {
    if (await this.#refuses('starttls')) return;
    await this.#write('220 2.0.0 Go ahead');
    this.#encrypt();
  }

  /** Handles AUTH PLAIN with its initial response, or AUTH LOGIN over two challenges. */
  async #login(line: string): Promise<void> {
    const [, method, initial] = line.split(' ');
    if (this.#loginSteps === 0 && (await this.#refuses('auth'))) return;
    if (this.#loginSteps === 0 && method === 'LOGIN') {
      this.#loginSteps = 2;
      return this.#write('334 VXNlcm5hbWU6');
    }
    if (this.#loginSteps === 2) {
      this.#loginSteps = 1;
      return this.#write('334 UGFzc3dvcmQ6');
    }
    const given = Buffer.from(this.#loginSteps === 1 ? line : (initial ?? ''), 'base64').toString();
    this.#loginSteps = 0;
    const pass = this.#sink.options.auth?.pass ?? '';
    const right = given === pass || given.endsWith(`\0${pass}`);
    return this.#write(right ? '235 2.7.0 Welcome' : '535 5.7.8 Authentication credentials invalid');
  }

  async #mail(line: string): Promise<void> {
    const match = /^MAIL FROM:<([^>]*)>\s*(.*)$/i.exec(line);
    if (match === null || this.#from !== null) return this.#write('503 5.5.1 Bad sequence of commands');
    if (await this.#refuses('mail')) return;
    this.#from = match[1] ?? '';
    this.#mailParameters = match[2]?.split(' ').filter(Boolean) ?? [];
    return this.#write('250 2.1.0 Ok');
  }

  async #rcpt(line: string): Promise<void> {
    const recipient = /^RCPT TO:<([^>]*)>/i.exec(line)?.[1];
    if (recipient === undefined || this.#from === null)
      return this.#write('503 5.5.1 Bad sequence of commands');
    if (await this.#refuses('rcpt', [recipient])) return;
    this.#recipients.push(recipient);
    return this.#write('250 2.1.5 Ok');
  }

  async #data(): Promise<void> {
    if (this.#recipients.length === 0) return this.#write('503 5.5.1 No valid recipients');
    if (await this.#refuses('data')) return;
    await this.#write('354 End data with <CR><LF>.<CR><LF>');
    this.#content = new DotReader();
    this.#earlyAnswer = null;
    this.#contentStep = this.#sink.takeStep('content', this.#recipients);
  }

  async #readContent(content: DotReader): Promise<boolean> {
    const chunk = this.#waiting.shift();
    if (chunk === undefined) return false;
    if (chunk.length > 0) this.#noted ??= this.#sink.beginContent(this.#recipients);
    this.#sink.contentBytes += chunk.length;
    const finished = content.push(chunk);
    const step = this.#contentStep;
    if (step !== undefined && content.bytes >= (step.afterBytes ?? 1)) {
      this.#contentStep = undefined;
      this.#earlyAnswer = step.reply ?? null;
      await this.#act(step);
      if (this.#hung) return false;
    }
    if (finished === null) return true;
    this.#content = null;
    if (finished.rest.length > 0) this.#waiting.unshift(finished.rest);
    await this.#finish(finished.raw);
    if (this.#noted && !this.#hung) this.#noted.answeredAtMs = performance.now();
    this.#noted = null;
    return true;
  }

  async #finish(raw: Buffer): Promise<void> {
    const header = raw.subarray(0, 65_536).toString('latin1');
    const message: SinkMessage = {
      from: this.#from ?? '',
      recipients: this.#recipients,
      raw,
      messageId: /^message-id:\s*(<[^>]*>)/im.exec(header)?.[1] ?? null,
      answer: this.#earlyAnswer,
      mailParameters: this.#mailParameters,
      encrypted: this.#isEncrypted(),
      connection: this.#number,
    };
    this.#forgetTransaction();
    // A reply in the middle of the content counts, because a message gets only one reply.
    if (this.#earlyAnswer !== null) return this.#sink.keep(message);
    const step = this.#sink.takeStep('dot', message.recipients);
    message.answer = step?.reply ?? (step?.drop || step?.hang ? null : '250 2.0.0 Ok: queued as SINK');
    this.#sink.keep(message);
    if (step === undefined) return this.#write(message.answer ?? '');
    await this.#act(step, '250 2.0.0 Ok: queued as SINK');
  }

  #forgetTransaction(): void {
    this.#from = null;
    this.#recipients = [];
    this.#mailParameters = [];
  }

  async #answer(point: SinkPoint, usual: string): Promise<void> {
    const step = this.#sink.takeStep(point, this.#recipients);
    if (step === undefined) await this.#write(usual);
    else await this.#act(step, usual);
  }

  /** Returns whether a step replied instead. A step that only slows down leaves the usual reply to the caller. */
  async #refuses(point: SinkPoint, recipients = this.#recipients): Promise<boolean> {
    const step = this.#sink.takeStep(point, recipients);
    if (step === undefined) return false;
    await this.#act(step);
    this.#dripMs = step.dripMs;
    return step.reply !== undefined || this.#hung;
  }

  async #act(step: SinkStep, usual?: string): Promise<void> {
    if (step.delayMs !== undefined) await Promise.all([sleep(step.delayMs), this.#sink.onSilence()]);
    await step.until;
    const reply = step.reply ?? (step.drop || step.hang ? undefined : usual);
    this.#dripMs = step.dripMs;
    if (reply !== undefined) await this.#write(reply, step.unterminated ? '' : '\r\n');
    this.#hung = step.hang === true || step.drop === true;
    // A sender in the middle of its content must find the connection blocked. At other points, its disconnect must be seen.
    if (step.hang && step.at === 'content') this.#socket.pause();
    if (step.hang) void this.#sink.onSilence();
    if (step.drop && reply !== undefined) this.#plain.destroySoon();
    else if (step.drop) this.#plain.destroy();
  }

  async #write(lines: string, lineEnd = '\r\n'): Promise<void> {
    const pauseMs = this.#dripMs;
    this.#dripMs = undefined;
    for (const piece of pauseMs === undefined ? [lines + lineEnd] : lines + lineEnd) {
      if (this.#socket.destroyed) return;
      this.#socket.write(piece);
      if (pauseMs !== undefined) await sleep(pauseMs);
    }
  }

  #isEncrypted(): boolean {
    return this.#socket instanceof TLSSocket;
  }
}
