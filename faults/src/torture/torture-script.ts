import { RawSmtpClient } from '../../../server/test/harness/raw-smtp-client.ts';

/** What no polite client says, what it has to be answered, and how many messages the inbox holds afterwards. */
export interface TortureScript {
  name: string;
  /** The codes of all replies after the EHLO, in order; null marks a connection that the server closed. */
  codes: (number | null)[];
  stored: number;
  play(player: Player): Promise<void>;
}

/** A session of a script, which notes the code of every reply. */
export class Player {
  readonly codes: (number | null)[] = [];
  readonly port: number;
  /** The address of the inbox of the script. */
  readonly to: string;
  #client: RawSmtpClient | null = null;

  constructor(port: number, to: string) {
    this.port = port;
    this.to = to;
  }

  /** The session, which is greeted when it is first used. */
  async client(): Promise<RawSmtpClient> {
    this.#client ??= await RawSmtpClient.greet(this.port);
    return this.#client;
  }

  /** Connects without waiting for anything. */
  async connect(): Promise<RawSmtpClient> {
    this.#client = await RawSmtpClient.connect(this.port);
    return this.#client;
  }

  async write(bytes: string | Uint8Array): Promise<void> {
    (await this.client()).write(bytes);
  }

  /** Notes so many replies, or the end of the connection. */
  async replies(count = 1): Promise<void> {
    const client = await this.client();
    for (let read = 0; read < count; read++)
      try {
        this.codes.push((await client.reply()).code);
      } catch {
        this.codes.push(null);
        return;
      }
  }

  /** Sends lines, each after the reply to the one before. */
  async say(...lines: string[]): Promise<void> {
    for (const line of lines) {
      await this.write(`${line}\r\n`);
      await this.replies();
    }
  }

  /** MAIL, RCPT and DATA. */
  envelope(mailParameters = ''): Promise<void> {
    return this.say(`MAIL FROM:<ada@sender.example>${mailParameters}`, `RCPT TO:<${this.to}>`, 'DATA');
  }

  /** Notes that the server closes the connection. */
  async closed(): Promise<void> {
    await (await this.client()).closed();
    this.codes.push(null);
  }

  end(): void {
    this.#client?.destroy();
  }
}

/** The codes of a whole transaction with one recipient. */
export const taken = [250, 250, 354, 250];

/** A script of one message with the bytes given, which are written in these pieces. */
export const content = (
  name: string,
  pieces: (string | Uint8Array)[],
  more: Partial<TortureScript> & { mailParameters?: string } = {},
): TortureScript => ({
  name,
  codes: taken,
  stored: 1,
  play: async (player) => {
    await player.envelope(more.mailParameters);
    for (const piece of pieces) {
      await player.write(piece);
      if (pieces.length > 1) await new Promise(setImmediate);
    }
    await player.replies();
  },
  ...more,
});

/** A script of lines that are answered one by one and store nothing. */
export const lines = (
  name: string,
  said: (to: string) => string[],
  codes: (number | null)[],
): TortureScript => ({
  name,
  codes,
  stored: 0,
  play: (player) => player.say(...said(player.to)),
});
