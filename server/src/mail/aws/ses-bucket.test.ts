import { type S3Server, startS3Server } from '@postrider/testkit/servers/s3-server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSesBucket, type FetchFromBucket } from './ses-received.ts';

let s3: S3Server;
let fetchMail: FetchFromBucket;

beforeAll(async () => {
  process.env.AWS_ACCESS_KEY_ID = 'test';
  process.env.AWS_SECRET_ACCESS_KEY = 'test';
  s3 = await startS3Server('inbound');
  fetchMail = createSesBucket({ region: 'eu-west-1', bucket: 'inbound', endpoint: s3.url, bytesMax: 1_000 });
});
afterAll(() => s3.close());

it('a mail is fetched byte for byte up to the limit', async () => {
  const mail = Buffer.alloc(1_000, 0xfe);
  s3.objects.set('mail/a', mail);
  expect(await fetchMail('mail/a')).toEqual(mail);
  s3.objects.set('mail/b', Buffer.alloc(1_001));
  expect(await fetchMail('mail/b')).toBe('too_large');
});

it('an object that is not there is gone, and any other failure is an error', async () => {
  expect(await fetchMail('mail/none')).toBe('gone');
  s3.failNext(403, 'AccessDenied');
  await expect(fetchMail('mail/a')).rejects.toThrow();
  s3.failNext(500, 'InternalError', 1);
  expect(await fetchMail('mail/a')).toHaveLength(1_000);
});
