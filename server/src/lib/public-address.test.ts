import { describe, expect, test } from 'vitest';
import { isPublicAddress } from './ip-address.ts';

const publicOnes = [
  '1.1.1.1',
  '8.8.8.8',
  '172.15.255.255',
  '172.32.0.1',
  '192.169.0.1',
  '100.63.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:800::200e',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
  '2002:808:808::1',
];

const others: [string, string[]][] = [
  ['this network', ['0.0.0.0', '0.1.2.3', '::']],
  ['loopback', ['127.0.0.1', '127.255.255.254', '::1']],
  [
    'private',
    ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1', 'fec0::1'],
  ],
  ['carrier-grade NAT', ['100.64.0.1', '100.127.255.255']],
  ['link-local, where metadata services are', ['169.254.169.254', 'fe80::1', 'fd00:ec2::254']],
  ['multicast and broadcast', ['224.0.0.1', '239.255.255.255', '255.255.255.255', 'ff02::1']],
  [
    'documentation and benchmarks',
    ['192.0.2.1', '198.51.100.7', '203.0.113.9', '198.18.0.1', '2001:db8::1', '3fff::1'],
  ],
  ['reserved', ['192.0.0.1', '240.0.0.1', '4000::1', '5f00::1', '100::1']],
  [
    'IPv4 within IPv6',
    ['::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::127.0.0.1', '::ffff:0:10.0.0.1', '64:ff9b::a00:1'],
  ],
  ['local NAT64', ['64:ff9b:1::808:808']],
  ['6to4 and Teredo', ['2002:7f00:1::', '2002:a9fe:a9fe::1', '2001:0:4136:e378:8000:63bf:80ff:fffe']],
  ['no address', ['', 'localhost', '127.1', 'example.com', '[::1]', '1.2.3.4.5']],
];

describe('addresses that everybody can reach', () => {
  test.each(publicOnes)('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('addresses that webhooks may not reach', () => {
  test.each(others)('%s', (_range, addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });
});
