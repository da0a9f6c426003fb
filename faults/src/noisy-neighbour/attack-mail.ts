import { setTimeout as sleep } from 'node:timers/promises';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import type { Attack } from './attack.ts';

/** The mail to send, and in how many sessions. */
export interface AttackMail {
  to: string;
  sessions: number;
  /** Sends exactly this number, each again until it is accepted. It is for mail that an attack needs. */
  count?: number;
  /** Sends at most this number, spread over the attack, so that the disk does not fill up in a long one. */
  most?: number;
  make(number: number): string | Buffer;
  from?: string;
  /** The pause after each mail of a session. */
  pauseMs?: number;
}

const replyMsMax = 30_000;
const refusedPauseMs = 100;

/** Sends mail until all of it was accepted or the attack is over. Returns the number of accepted mails. */
export async function sendMail(attack: Attack, plan: AttackMail): Promise<number> {
  const { count, most, sessions, to, make, from = 'eve@attacker.example' } = plan;
  const pauseMs = Math.max(plan.pauseMs ?? 0, most ? (attack.seconds * 1_000 * sessions) / most : 0);
  const end = count ?? most ?? Number.POSITIVE_INFINITY;
  let next = 0;
  let taken = 0;
  const session = async (_: unknown, index: number) => {
    while (next < end && !attack.isOver()) {
      const client = await greet(attack, 1 + (index % 40)).catch(() => null);
      if (!client) attack.count('SMTP: no session');
      try {
        while (client && next < end && !attack.isOver()) {
          const number = next++;
          const code = await deliver(client, { from, to, raw: make(number) });
          attack.count(`SMTP: ${code}`);
          if (code === 250) taken += 1;
          else {
            if (count) next -= 1;
            await sleep(refusedPauseMs);
            if (code === 421) break;
            await client.command('RSET');
          }
          if (pauseMs) await sleep(pauseMs);
        }
      } catch {
        attack.count('SMTP: broken session');
      }
      client?.destroy();
      if (next < end) await sleep(refusedPauseMs);
    }
  };
  await Promise.all(Array.from({ length: sessions }, session));
  return taken;
}

async function greet(attack: Attack, address: number): Promise<RawSmtpClient> {
  const client = await RawSmtpClient.connect(attack.target().smtpPort, replyMsMax, attack.address(address));
  const { code } = await client.reply();
  if (code === 220) await client.command('EHLO attacker.example');
  else throw new Error(String(code));
  return client;
}

async function deliver(
  client: RawSmtpClient,
  { from, to, raw }: { from: string; to: string; raw: string | Buffer },
): Promise<number> {
  for (const line of [`MAIL FROM:<${from}>`, `RCPT TO:<${to}>`, 'DATA']) {
    const { code } = await client.command(line);
    if (code >= 400) return code;
  }
  client.write(raw);
  client.write('\r\n.\r\n');
  return (await client.reply()).code;
}
