import { withDirect } from '@postrider/testkit/smtp/direct-run.ts';
import { deadAddress } from '@postrider/testkit/smtp/sink-row.ts';
import { copiesThatCount, endlessMs } from '@postrider/testkit/smtp/transport-run.ts';
import { describe, expect, it } from 'vitest';
import { makeSelfSignedCertificate } from '../../../tls/tls-certificate.ts';

const tls = makeSelfSignedCertificate('mx0.test', new Date());
const accepted = { kind: 'accepted', final: false };
const unreachable = { kind: 'deferred', cause: 'recipient' };
const ourFault = { kind: 'deferred', cause: 'relay' };

describe('the servers of a domain', () => {
  it('are tried in the order of their preference, and get a message once', () =>
    withDirect({}, async ({ sinks, send, point }) => {
      point('example.test', 1, 0);
      await expect(send('bob@example.test')).resolves.toMatchObject(accepted);
      expect(sinks.map(({ messages }) => messages.length)).toEqual([0, 1]);
      expect(sinks[1]?.messages[0]).toMatchObject({
        from: 'bounces@sender.test',
        recipients: ['bob@example.test'],
      });
      expect(sinks[1]?.commands[0]).toBe('EHLO client.test');
    }));

  it('share the load if they have one preference', () =>
    withDirect({ settings: { messagesPerConnectionMax: 1 } }, async ({ dns, sinks, send }) => {
      dns.set('example.test', 'MX', ['5 mx0.test', '5 mx1.test']);
      for (let index = 0; index < 40; index++) await send(`user${index}@example.test`);
      expect(sinks.map(({ messages }) => messages.length).every((count) => count > 0)).toBe(true);
    }));

  it('are the domain itself if it has no MX', () =>
    withDirect({}, async ({ dns, row, sinks, send }) => {
      dns.set('implicit.test', 'A', [row.addresses[1]!]);
      await expect(send('bob@implicit.test')).resolves.toMatchObject(accepted);
      expect(sinks[1]?.messages).toHaveLength(1);
    }));

  const refusals = {
    'cannot be connected to': null,
    'refuse the session with 4xx': { at: 'greeting', reply: '421 4.3.2 Busy' },
    'refuse the session with 5xx': { at: 'greeting', reply: '554 5.7.1 Go away' },
    'close the connection before EHLO': { at: 'ehlo', drop: true },
    'go silent at the greeting': { at: 'greeting', hang: true },
    'answer MAIL with 4xx': { at: 'mail', reply: '451 4.3.0 Later' },
    'close at RCPT': { at: 'rcpt', reply: '421 4.7.0 Closing', drop: true },
  } as const;
  for (const [name, step] of Object.entries(refusals))
    it(`that ${name} are passed over for the next`, () =>
      withDirect({ silenceMs: endlessMs }, async ({ sinks, send, point }) => {
        if (step) sinks[0]?.script(step);
        point('example.test', step ? 0 : deadAddress, 1);
        await expect(send('bob@example.test')).resolves.toMatchObject(accepted);
        expect(sinks[0]?.messages).toEqual([]);
        expect(sinks[1]?.copiesFor('bob@example.test')).toHaveLength(1);
      }));

  it('are not asked again for a recipient that one of them refused or deferred', () =>
    withDirect({}, async ({ sinks, send, point }) => {
      point('example.test', 0, 1);
      sinks[0]?.script(
        { at: 'rcpt', recipient: 'no@example.test', reply: '550 5.1.1 No such user' },
        { at: 'rcpt', recipient: 'grey@example.test', reply: '451 4.7.1 Greylisted', times: 1 },
      );
      await expect(send('no@example.test')).resolves.toMatchObject({ kind: 'rejected', scope: 'recipient' });
      await expect(send('grey@example.test')).resolves.toMatchObject({ ...unreachable, code: 451 });
      expect(sinks[1]?.connections).toBe(0);
      await expect(send('grey@example.test')).resolves.toMatchObject(accepted);
    }));

  it('never get a message of which another one may have a part', async () => {
    for (const at of ['dot', 'content'] as const)
      await withDirect({}, async ({ sinks, send, point }) => {
        point('example.test', 0, 1);
        sinks[0]?.script({ at, drop: true });
        let handovers = 0;
        const onHandover = async () => {
          handovers += 1;
        };
        await expect(send('bob@example.test', { onHandover })).resolves.toMatchObject({
          kind: 'unconfirmed',
        });
        expect(handovers).toBe(1);
        expect(sinks[1]?.connections).toBe(0);
        expect(copiesThatCount(sinks[0]!, 'bob@example.test').length).toBeLessThanOrEqual(1);
      });
  });

  it('get nothing if the caller does not let the message go', () =>
    withDirect({}, async ({ sinks, send, point }) => {
      point('example.test', 0, 1);
      const onHandover = () => Promise.reject(new Error('The lease is lost.'));
      await expect(send('bob@example.test', { onHandover })).rejects.toThrow('The lease is lost.');
      expect(sinks.flatMap(({ messages }) => messages)).toEqual([]);
    }));

  it('that are on one machine of several addresses are tried at each of them', () =>
    withDirect({}, async ({ dns, row, sinks, send }) => {
      dns.set('many.test', 'A', [deadAddress, row.addresses[0]!]);
      dns.set('many.test', 'AAAA', ['::1']);
      dns.set('example.test', 'MX', ['10 many.test']);
      await expect(send('bob@example.test')).resolves.toMatchObject(accepted);
      expect(sinks[0]?.messages).toHaveLength(1);
    }));

  it('that take no addresses in UTF-8 get none', () =>
    withDirect({ sinks: [{ extensions: [] }] }, async ({ sinks, send, point }) => {
      point('example.test', 0);
      await expect(send('jörg@example.test')).resolves.toMatchObject({
        kind: 'rejected',
        scope: 'message',
        enhanced: '5.6.7',
      });
      await expect(send('bob@example.test')).resolves.toMatchObject(accepted);
      expect(sinks[0]?.messages[0]?.mailParameters).not.toContain('SMTPUTF8');
    }));
});

describe('a destination without a server', () => {
  it('is unreachable once this server has reached any other, and before that it may be our own fault', () =>
    withDirect({}, async ({ send, point }) => {
      point('dead.test', deadAddress);
      point('other.test', deadAddress);
      point('healthy.test', 0);
      await expect(send('bob@dead.test')).resolves.toMatchObject({
        ...ourFault,
        detail: expect.stringContaining('ECONNREFUSED'),
      });
      await send('bob@healthy.test');
      point('third.test', '127.0.0.251');
      await expect(send('bob@third.test')).resolves.toMatchObject(unreachable);
    }));

  it('at a public address is connected to, and at a private one never', () =>
    withDirect(
      { settings: { mayConnectTo: (address) => address === '127.0.0.3' } },
      async ({ sinks, send, point }) => {
        point('private.test', 0);
        await expect(send('bob@private.test')).resolves.toMatchObject({
          ...ourFault,
          detail: expect.stringMatching(/mx0\.test has only addresses of private or reserved networks/),
        });
        point('mixed.test', 0, 1);
        await expect(send('bob@mixed.test')).resolves.toMatchObject(accepted);
        expect(sinks.map(({ connections }) => connections)).toEqual([0, 1]);
      },
    ));
});

describe('TLS to a receiver', () => {
  it('is used if it is offered, with any certificate', () =>
    withDirect({ sinks: [{ tls }] }, async ({ sinks, send, point }) => {
      point('example.test', 0);
      await expect(send('bob@example.test')).resolves.toMatchObject(accepted);
      expect(sinks[0]?.messages[0]?.encrypted).toBe(true);
    }));

  it.each([
    { at: 'starttls' as const, drop: true },
    { at: 'starttls' as const, reply: '454 4.7.0 TLS not available' },
    { at: 'starttls' as const, reply: '220 2.0.0 Go ahead', drop: true },
    { at: 'starttls' as const, hang: true },
  ])('that fails is done without: %j', (step) =>
    withDirect({ sinks: [{ tls }], silenceMs: endlessMs }, async ({ sinks, send, point }) => {
      point('example.test', 0);
      sinks[0]?.script(step);
      await expect(send('bob@example.test')).resolves.toMatchObject(accepted);
      expect(sinks[0]?.messages).toMatchObject([{ encrypted: false }]);
    }),
  );
});

describe('the check', () => {
  it('says what DNS knows of the shared domain', () =>
    withDirect({ settings: { domain: 'mine.test' } }, async ({ dns, transport, point }) => {
      point('mine.test', 0);
      await expect(transport.check()).resolves.toEqual({
        ok: true,
        detail: 'DNS answers: the MX of mine.test is mx0.test.',
      });
      expect(dns.asked).toContain('MX mine.test udp');
    }));

  it('says that the domain does not exist, or that DNS fails', () =>
    withDirect({ settings: { domain: 'mine.test' } }, async ({ dns, transport }) => {
      dns.failFor('mine.test');
      await expect(transport.check()).resolves.toMatchObject({
        ok: false,
        detail: expect.stringContaining('ESERVFAIL'),
      });
    }));
});
