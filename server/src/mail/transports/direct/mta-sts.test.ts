import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { DirectRun } from '@postrider/testkit/smtp/direct-run.ts';
import { withDirect } from '@postrider/testkit/smtp/direct-run.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeSelfSignedCertificate } from '../../../tls/tls-certificate.ts';

const domain = 'example.test';
const certificates = {
  mx0: makeSelfSignedCertificate('mx0.test', new Date()),
  other: makeSelfSignedCertificate('other.test', new Date()),
  web: makeSelfSignedCertificate(`mta-sts.${domain}`, new Date()),
};
const ca = Object.values(certificates)
  .map(({ cert }) => cert)
  .join('');
const ourFault = { kind: 'deferred', cause: 'relay' };
const accepted = { kind: 'accepted' };

let answer: RequestListener;
let requests = 0;
let nowMs = 0;
const web = createServer(certificates.web, (request, response) => {
  requests += 1;
  answer(request, response);
});

beforeAll(async () => {
  web.listen(0, '127.0.0.1');
  await once(web, 'listening');
});
beforeEach(() => {
  requests = 0;
  nowMs = 0;
});
afterAll(() => {
  web.closeAllConnections();
  web.close();
});

const policy = (mode: string, mx: string[], maxAge = 86_400) =>
  ['version: STSv1', `mode: ${mode}`, ...mx.map((name) => `mx: ${name}`), `max_age: ${maxAge}`, ''].join(
    '\r\n',
  );
const publish = (run: DirectRun, text: string, id = '1') => {
  run.dns.set(`_mta-sts.${domain}`, 'TXT', [`v=STSv1; id=${id};`]);
  run.dns.set(`mta-sts.${domain}`, 'A', ['127.0.0.1']);
  answer = (_request, response) => response.setHeader('content-type', 'text/plain').end(text);
};
const withPolicies = (
  sinks: Parameters<typeof withDirect>[0]['sinks'],
  test: (run: DirectRun) => Promise<void>,
) =>
  withDirect(
    {
      sinks: sinks ?? [],
      settings: { policyPort: (web.address() as AddressInfo).port, ca, nowMs: () => nowMs },
    },
    async (run) => {
      run.point(domain, ...run.sinks.map((_, index) => index));
      await test(run);
    },
  );
const trusted = { tls: certificates.mx0 };
const mistrusted = { tls: certificates.other };

describe('a policy that is enforced', () => {
  it('lets mail go by TLS to a server that it names, whose certificate is valid', () =>
    withPolicies([trusted], async (run) => {
      publish(run, policy('enforce', ['*.test']));
      await expect(run.send(`bob@${domain}`)).resolves.toMatchObject(accepted);
      expect(run.sinks[0]?.messages).toMatchObject([{ encrypted: true }]);
      expect(requests).toBe(1);
    }));

  it('keeps mail from servers that it does not name', () =>
    withPolicies([trusted, trusted], async (run) => {
      publish(run, policy('enforce', ['mx9.test']));
      await expect(run.send(`bob@${domain}`)).resolves.toMatchObject({
        ...ourFault,
        detail: 'The MTA-STS policy of example.test allows none of its servers (mx0.test, mx1.test).',
      });
      expect(run.sinks.map(({ connections }) => connections)).toEqual([0, 0]);
    }));

  it.each([
    ['with the certificate of another name', mistrusted, /MTA-STS requires TLS.*altnames/],
    ['without TLS', {}, /MTA-STS requires TLS/],
  ])('passes over a server %s, and defers if there is no other', async (_name, sink, detail) => {
    await withPolicies([sink], async (run) => {
      publish(run, policy('enforce', ['*.test']));
      await expect(run.send(`bob@${domain}`)).resolves.toMatchObject({
        ...ourFault,
        detail: expect.stringMatching(detail),
      });
      expect(run.sinks[0]?.commands.filter((line) => !/^(EHLO|STARTTLS)/.test(line))).toEqual([]);
    });
    await withPolicies([trusted, sink], async (run) => {
      run.point(domain, 1, 0);
      publish(run, policy('enforce', ['*.test']));
      await expect(run.send(`bob@${domain}`)).resolves.toMatchObject(accepted);
      expect(run.sinks.map(({ messages }) => messages.length)).toEqual([1, 0]);
    });
  });

  it('passes over a server whose certificate nobody vouches for', () =>
    withPolicies([{ tls: makeSelfSignedCertificate('mx0.test', new Date()) }], async (run) => {
      publish(run, policy('enforce', ['mx0.test']));
      await expect(run.send(`bob@${domain}`)).resolves.toMatchObject({
        ...ourFault,
        detail: expect.stringMatching(/self-signed/),
      });
    }));

  it('holds until its age, although DNS and the web server are away, and no longer', () =>
    withPolicies([mistrusted], async (run) => {
      publish(run, policy('enforce', ['mx0.test'], 3_600));
      await expect(run.send(`bob@${domain}`)).resolves.toMatchObject(ourFault);
      run.dns.failFor(`_mta-sts.${domain}`, `mta-sts.${domain}`);
      answer = (_request, response) => response.destroy();
      nowMs += 3_500_000;
      await expect(run.send(`bob@${domain}`)).resolves.toMatchObject(ourFault);
      nowMs += 200_000;
      await expect(run.send(`bob@${domain}`)).resolves.toMatchObject(accepted);
    }));

  it('is fetched again before its age is over, with its id or without', () =>
    withPolicies([mistrusted], async (run) => {
      publish(run, policy('enforce', ['mx0.test'], 3_600));
      await expect(run.send(`bob@${domain}`)).resolves.toMatchObject(ourFault);
      for (const [fetches, isAway] of [
        [2, false],
        [3, true],
      ] as const) {
        if (isAway) run.dns.failFor(`_mta-sts.${domain}`);
        nowMs += 1_700_000;
        await expect(run.send(`bob@${domain}`)).resolves.toMatchObject(ourFault);
        expect(requests).toBe(fetches - 1);
        nowMs += 400_000;
        await expect(run.send(`bob@${domain}`)).resolves.toMatchObject(ourFault);
        await expect.poll(() => requests).toBe(fetches);
      }
      answer = (_request, response) => response.destroy();
      nowMs += 3_500_000;
      await expect(run.send(`bob@${domain}`)).resolves.toMatchObject(ourFault);
    }));

  it('of a short age is fetched once that is over, and not for each message if it is gone then', () =>
    withPolicies([mistrusted], async (run) => {
      publish(run, policy('enforce', ['mx0.test'], 0));
      for (const fetches of [1, 2]) {
        for (const user of ['bob', 'eve'])
          await expect(run.send(`${user}@${domain}`)).resolves.toMatchObject(ourFault);
        expect(requests).toBe(fetches);
        nowMs += 61_000;
      }
      answer = (_request, response) => response.writeHead(404).end();
      for (const user of ['bob', 'eve'])
        await expect(run.send(`${user}@${domain}`)).resolves.toMatchObject(accepted);
      expect(requests).toBe(3);
    }));

  it('is replaced once its id changes, and not fetched again before', () =>
    withPolicies([mistrusted], async (run) => {
      publish(run, policy('enforce', ['mx0.test']));
      await expect(run.send(`bob@${domain}`)).resolves.toMatchObject(ourFault);
      nowMs += 400_000;
      await expect(run.send(`bob@${domain}`)).resolves.toMatchObject(ourFault);
      expect(requests).toBe(1);
      publish(run, policy('none', []), '2');
      nowMs += 400_000;
      // The known policy holds for the message that has the new one fetched in the background.
      await run.send(`bob@${domain}`);
      await expect.poll(() => requests).toBe(2);
      nowMs += 600_000;
      await expect(run.send(`bob@${domain}`)).resolves.toMatchObject(accepted);
    }));
});

describe('a policy that is not in force', () => {
  it.each(['testing', 'none'])('has no effect: mode %s', (mode) =>
    withPolicies([mistrusted], async (run) => {
      publish(run, policy(mode, ['mx9.test']));
      await expect(run.send(`bob@${domain}`)).resolves.toMatchObject(accepted);
      expect(requests).toBe(1);
    }),
  );

  const strict = policy('enforce', ['mx9.test']);
  const manyNames = Array.from({ length: 101 }, () => 'mx9.test');
  const failures: [string, RequestListener][] = [
    [
      'is behind a redirect',
      (_, response) => response.writeHead(302, { location: '/elsewhere' }).end(strict),
    ],
    ['is missing', (_, response) => response.writeHead(404).end(strict)],
    ['is not text', (_, response) => response.setHeader('content-type', 'text/html').end(strict)],
    [
      'is too large',
      (_, response) => response.setHeader('content-type', 'text/plain').end(strict + '\r\n'.repeat(40_000)),
    ],
    [
      'names too many servers',
      (_, response) => response.setHeader('content-type', 'text/plain').end(policy('enforce', manyNames)),
    ],
    ['is no policy', (_, response) => response.setHeader('content-type', 'text/plain').end('mode: enforce')],
    ['breaks off', (_, response) => response.destroy()],
  ];
  it.each(failures)('has no effect, and is not fetched for each message: it %s', (_name, listener) =>
    withPolicies([{}], async (run) => {
      publish(run, '');
      answer = listener;
      for (const user of ['bob', 'eve'])
        await expect(run.send(`${user}@${domain}`)).resolves.toMatchObject(accepted);
      expect(requests).toBe(1);
    }),
  );

  it('comes from a web server with a bad certificate, or at a private address', async () => {
    await withPolicies([{}], async (run) => {
      run.point('bad.test', 0);
      run.dns.set('_mta-sts.bad.test', 'TXT', ['v=STSv1; id=1;']);
      run.dns.set('mta-sts.bad.test', 'A', ['127.0.0.1']);
      answer = (_request, response) => response.setHeader('content-type', 'text/plain').end(strict);
      await expect(run.send('bob@bad.test')).resolves.toMatchObject(accepted);
    });
    const settings = {
      policyPort: (web.address() as AddressInfo).port,
      ca,
      mayConnectTo: (address: string) => address !== '127.0.0.1',
    };
    await withDirect({ sinks: [{}], settings }, async (run) => {
      run.point(domain, 0);
      publish(run, strict);
      await expect(run.send(`bob@${domain}`)).resolves.toMatchObject(accepted);
    });
    expect(requests).toBe(0);
  });

  it('takes long to come, and holds only the mail to its own domain', () =>
    withPolicies([{}], async (run) => {
      publish(run, '');
      const arrived = Promise.withResolvers<() => void>();
      answer = (_request, response) => arrived.resolve(() => response.destroy());
      run.point('other.test', 0);
      const slow = run.send(`bob@${domain}`);
      const release = await arrived.promise;
      await expect(run.send('bob@other.test')).resolves.toMatchObject(accepted);
      expect(run.sinks[0]?.copiesFor(`bob@${domain}`)).toEqual([]);
      release();
      await expect(slow).resolves.toMatchObject(accepted);
    }));
});
