import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openDns } from '../../../dns/ask-resolver.ts';
import { examineBlocklists, examineHostname } from './examine-addresses.ts';
import { type Ask, askIn, readAddresses } from './examine-dns.ts';

let dns: DnsServer;
let ask: Ask;
beforeAll(async () => {
  dns = await startDnsServer();
  ask = askIn(await openDns(dns.address));
});
beforeEach(() => dns.clear());
afterAll(() => dns.close());

const hostname = 'mx.acme.com';
const address = '93.184.215.14';
const pointer = '14.215.184.93.in-addr.arpa';
const six = '2606:2800:21f::1';
const sixPointer = '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.f.1.2.0.0.0.8.2.6.0.6.2.ip6.arpa';
const examine = async (isSender = true, name = hostname) =>
  examineHostname(name, { isSender, addresses: await readAddresses(ask, name), ask });

test('a name whose addresses lead back to it is fine, by IPv4 and IPv6', async () => {
  dns.set(hostname, 'A', [address]);
  dns.set(hostname, 'AAAA', [six]);
  dns.set(pointer, 'PTR', ['MX.acme.com']);
  dns.set(sixPointer, 'PTR', [hostname]);
  expect(await examine()).toEqual([
    { part: 'hostname', state: 'ok', text: `${hostname} is ${address}, in both directions` },
    { part: 'hostname', state: 'ok', text: `${hostname} is ${six}, in both directions` },
  ]);
});

test('an address without a PTR record is a problem for a server that sends by itself, else a note', async () => {
  dns.set(hostname, 'A', [address]);
  const found = {
    text: expect.stringContaining('has no PTR record'),
    remedy: expect.stringContaining(hostname),
  };
  expect(await examine()).toMatchObject([{ state: 'problem', ...found }]);
  expect(await examine(false)).toMatchObject([{ state: 'note', ...found }]);
});

test('a PTR record has to lead back, and another name that does is only noted', async () => {
  dns.set(hostname, 'A', [address]);
  dns.set(pointer, 'PTR', ['host14.provider.net']);
  expect(await examine()).toMatchObject([
    { state: 'problem', text: expect.stringContaining('does not lead back') },
  ]);
  dns.set('host14.provider.net', 'A', [address]);
  expect(await examine()).toMatchObject([
    { state: 'note', text: expect.stringContaining('host14.provider.net, not mx.acme.com') },
  ]);
});

test('a name that others cannot resolve, or that is not public, is a problem', async () => {
  expect(await examine()).toMatchObject([
    { state: 'problem', text: expect.stringContaining('has no address') },
  ]);
  expect(await examine(true, 'vps-1')).toMatchObject([
    { state: 'problem', remedy: expect.stringContaining('POSTRIDER_SMTP_HOSTNAME') },
  ]);
  dns.set(hostname, 'A', ['10.0.0.5']);
  expect(await examine()).toMatchObject([{ state: 'problem', text: expect.stringContaining('not public') }]);
  dns.failFor(hostname);
  expect(await examine()).toMatchObject([
    { state: 'problem', text: expect.stringContaining('does not respond') },
  ]);
});

test('an address on a block list is a problem with the reason; on none it is fine', async () => {
  const listed = '14.215.184.93.zen.spamhaus.org';
  expect((await examineBlocklists([address, six, '10.0.0.5'], ask)).map(({ state }) => state)).toEqual([
    'ok',
    'ok',
    'ok',
    'ok',
  ]);
  dns.set(listed, 'A', ['127.0.0.4']);
  dns.set(listed, 'TXT', ['https://check.spamhaus.org/query/ip/93.184.215.14']);
  expect((await examineBlocklists([address], ask))[0]).toMatchObject({
    state: 'problem',
    text: `${address} is on zen.spamhaus.org (127.0.0.4): https://check.spamhaus.org/query/ip/93.184.215.14`,
  });
});

test('a block list that refuses the question, or a resolver that invents answers, lists nothing', async () => {
  const name = '14.215.184.93.zen.spamhaus.org';
  dns.set(name, 'A', ['127.255.255.254']);
  expect((await examineBlocklists([address], ask))[0]).toMatchObject({
    state: 'note',
    text: expect.stringContaining('does not serve public resolvers'),
  });
  dns.set(name, 'A', ['198.51.100.7']);
  expect((await examineBlocklists([address], ask))[0]).toMatchObject({
    state: 'note',
    text: expect.stringContaining('not a valid response from a block list'),
  });
  dns.failFor(name);
  expect((await examineBlocklists([address], ask))[0]).toMatchObject({ state: 'note' });
  expect(await examineBlocklists(['127.0.0.1'], ask)).toMatchObject([{ state: 'note' }]);
});
