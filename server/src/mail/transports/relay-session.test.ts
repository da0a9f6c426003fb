import { endlessMs, makeJob, withTransport } from '@postrider/testkit/smtp/transport-run.ts';
import { describe, expect, it } from 'vitest';
import { makeSelfSignedCertificate } from '../../tls/tls-certificate.ts';
import { parseRelay } from './relay.ts';

const tls = makeSelfSignedCertificate('127.0.0.1', new Date());
const awayNow = { kind: 'deferred', cause: 'relay' };
const auth = { user: 'agent', pass: 'right p@ss' };

describe('TLS to the relay', () => {
  it('is used by STARTTLS where it is offered', () =>
    withTransport({ sink: { tls } }, async ({ sink, transport }) => {
      await expect(transport.submit(makeJob('bob@example.test'))).resolves.toMatchObject({
        kind: 'accepted',
      });
      expect(sink.messages[0]?.encrypted).toBe(true);
      await expect(transport.check()).resolves.toEqual({
        ok: true,
        detail: `127.0.0.1:${sink.port} is ready, with TLS.`,
      });
    }));

  it('is left out where it is not offered', () =>
    withTransport({}, async ({ sink, transport }) => {
      await expect(transport.submit(makeJob('bob@example.test'))).resolves.toMatchObject({
        kind: 'accepted',
      });
      expect(sink.messages[0]?.encrypted).toBe(false);
    }));

  it('that is required and not offered sends nothing', () =>
    withTransport({ query: '?tls=required' }, async ({ sink, transport }) => {
      await expect(transport.submit(makeJob('bob@example.test'))).resolves.toMatchObject(awayNow);
      expect(sink.commands.some((line) => line.startsWith('MAIL'))).toBe(false);
    }));

  it('that the relay offers and then refuses is done without, unless it is required', async () => {
    const refuse = { at: 'starttls' as const, reply: '454 4.7.0 TLS not available' };
    await withTransport({ sink: { tls } }, async ({ sink, transport }) => {
      sink.script(refuse);
      await expect(transport.submit(makeJob('bob@example.test'))).resolves.toMatchObject({
        kind: 'accepted',
      });
    });
    await withTransport({ sink: { tls }, query: '?tls=required' }, async ({ sink, transport }) => {
      sink.script(refuse);
      await expect(transport.submit(makeJob('bob@example.test'))).resolves.toMatchObject(awayNow);
      expect(sink.messages).toHaveLength(0);
    });
  });

  it('that is refused leaves what the relay announced before, and nothing of the refusal', async () => {
    const refuse = { at: 'starttls' as const, reply: '454-4.7.0 Not now\r\n454 4.7.0 TLS not available' };
    for (const extensions of [['SMTPUTF8'], ['X-SMTPUTF8', 'SMTPUTF8X']])
      await withTransport({ sink: { tls, extensions } }, async ({ sink, transport }) => {
        sink.script(refuse);
        await expect(transport.submit(makeJob('jörg@example.test'))).resolves.toMatchObject({
          kind: extensions.length === 1 ? 'accepted' : 'rejected',
        });
      });
  });

  it('is spoken from the start to a relay that wants it so', async () => {
    const relay = {
      host: '127.0.0.1',
      port: 0,
      tls: 'implicit' as const,
      verifyCertificate: false,
      auth: null,
    };
    await withTransport(
      { sink: { tls, implicitTls: true }, settings: { relay } },
      async ({ sink, transport }) => {
        relay.port = sink.port;
        await expect(transport.submit(makeJob('bob@example.test'))).resolves.toMatchObject({
          kind: 'accepted',
        });
        expect(sink.messages[0]?.encrypted).toBe(true);
      },
    );
  });

  it('with a certificate that nobody vouches for sends nothing, neither encrypted nor in the clear', async () => {
    const relay = {
      host: '127.0.0.1',
      port: 0,
      tls: 'opportunistic' as const,
      verifyCertificate: true,
      auth,
    };
    await withTransport({ sink: { tls, auth }, settings: { relay } }, async ({ sink, transport }) => {
      relay.port = sink.port;
      await expect(transport.submit(makeJob('bob@example.test'))).resolves.toMatchObject({
        ...awayNow,
        detail: expect.stringMatching(/self-signed/),
      });
      expect(sink.commands.filter((line) => !/^(EHLO|STARTTLS)/.test(line))).toEqual([]);
    });
  });

  it('survives a drop and a hang in the middle of its handshake', () =>
    withTransport({ sink: { tls }, silenceMs: endlessMs }, async ({ sink, transport }) => {
      sink.script({ at: 'starttls', drop: true, times: 1 }, { at: 'starttls', hang: true, times: 1 });
      for (const recipient of ['a@b.test', 'c@d.test'])
        await expect(transport.submit(makeJob(recipient))).resolves.toMatchObject(awayNow);
      await expect(transport.submit(makeJob('e@f.test'))).resolves.toMatchObject({ kind: 'accepted' });
    }));
});

describe('signing in to the relay', () => {
  const relayFor = (port: number, user: string, pass: string) =>
    parseRelay(`smtp://${encodeURIComponent(user)}:${encodeURIComponent(pass)}@127.0.0.1:${port}`);

  it('works once a connection, by PLAIN or LOGIN', async () => {
    for (const methods of ['PLAIN', 'LOGIN']) {
      const relay = relayFor(1, auth.user, auth.pass);
      await withTransport(
        { sink: { auth, authMethods: methods }, settings: { relay } },
        async ({ sink, transport }) => {
          relay.port = sink.port;
          for (const recipient of ['a@b.test', 'c@d.test'])
            await expect(transport.submit(makeJob(recipient))).resolves.toMatchObject({ kind: 'accepted' });
          expect(sink.commands.filter((line) => line.startsWith('AUTH'))).toHaveLength(1);
        },
      );
    }
  });

  it('with a wrong password is the relay refusing us, not the recipient', async () => {
    const relay = relayFor(1, auth.user, 'wrong');
    await withTransport({ sink: { auth }, settings: { relay } }, async ({ sink, transport }) => {
      relay.port = sink.port;
      const outcome = await transport.submit(makeJob('bob@example.test'));
      expect(outcome).toMatchObject({ ...awayNow, code: 535, enhanced: '5.7.8' });
      expect(JSON.stringify(outcome)).not.toContain('wrong');
      await expect(transport.check()).resolves.toMatchObject({
        ok: false,
        detail: expect.stringMatching(/535/),
      });
    });
  });

  it('defers when the relay drops or goes silent at AUTH', async () => {
    const relay = relayFor(1, auth.user, auth.pass);
    await withTransport(
      { sink: { auth }, settings: { relay }, silenceMs: endlessMs },
      async ({ sink, transport }) => {
        relay.port = sink.port;
        sink.script({ at: 'auth', drop: true, times: 1 }, { at: 'auth', hang: true, times: 1 });
        for (const recipient of ['a@b.test', 'c@d.test'])
          await expect(transport.submit(makeJob(recipient))).resolves.toMatchObject(awayNow);
        await expect(transport.submit(makeJob('e@f.test'))).resolves.toMatchObject({ kind: 'accepted' });
      },
    );
  });
});

describe('a reply of the relay', () => {
  const long = `${'250-X\r\n'.repeat(12_000)}250 Ok`;

  it('that is too long ends the session: nothing was sent before the message, and it is unconfirmed after it', () =>
    withTransport({}, async ({ sink, transport }) => {
      sink.script({ at: 'ehlo', reply: long, times: 1 }, { at: 'rcpt', reply: long, times: 1 });
      for (const recipient of ['a@b.test', 'c@d.test'])
        await expect(transport.submit(makeJob(recipient))).resolves.toMatchObject(awayNow);
      sink.script({ at: 'dot', reply: long, times: 1 });
      await expect(transport.submit(makeJob('e@f.test'))).resolves.toMatchObject({ kind: 'unconfirmed' });
      await expect(transport.submit(makeJob('g@h.test'))).resolves.toMatchObject({ kind: 'accepted' });
    }));

  it('that is nothing but spaces holds nobody up', () =>
    withTransport({}, async ({ sink, transport }) => {
      sink.script({ at: 'dot', reply: `250 Ok${' '.repeat(60_000)}.` });
      await expect(transport.submit(makeJob('a@b.test'))).resolves.toMatchObject({
        kind: 'accepted',
        providerMessageId: null,
        detail: '250 Ok',
      });
    }));
});
