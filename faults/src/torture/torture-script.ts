import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';

/** A dialogue that no polite client would have, with the expected replies and the number of messages in the inbox afterwards. */
export interface TortureScript {
  name: string;
  /** The codes of all replies after the EHLO, in order; null marks a connection that the server closed. */
  codes: (number | null)[];
  stored: number;
  play(player: Player): Promise<void>;
}

/** A session of a script, which records the code of every reply. */
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

  /** Returns the session, which waits for the greeting when it is first used. */
  async client(): Promise<RawSmtpClient> {
    this.#client ??= await RawSmtpClient.greet(this.port);
    return this.#client;
  }

  /** Connects without waiting for the greeting. */
  async connect(): Promise<RawSmtpClient> {
    this.#client = await RawSmtpClient.connect(this.port);
    return this.#client;
  }

  async write(bytes: string | Uint8Array): Promise<void> {
    (await this.client()).write(bytes);
  }

  /** Records a number of replies, or the end of the connection. */
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

  /** Sends lines, each after the reply to the previous one. */
  async say(...lines: string[]): Promise<void> {
    for (const line of lines) {
      await this.write(`${line}\r\n`);
      await this.replies();
    }
  }

  /** Sends MAIL, RCPT and DATA. */
  envelope(mailParameters = ''): Promise<void> {
    return this.say(`MAIL FROM:<ada@sender.example>${mailParameters}`, `RCPT TO:<${this.to}>`, 'DATA');
  }

  /** Waits until the server closes the connection, and records it. */
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

/** Creates a script of one message with the given bytes, written in these pieces. */
export function content(
  name: string,
  pieces: (string | Uint8Array)[],
  more: Partial<TortureScript> & { mailParameters?: string } = {},
): TortureScript {
  return {
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
  };
}

/** Creates a script of lines that get their replies one by one and store nothing. */
export function lines(name: string, said: (to: string) => string[], codes: (number | null)[]): TortureScript {
  return {
    name,
    codes,
    stored: 0,
    play: (player) => player.say(...said(player.to)),
  };
}
