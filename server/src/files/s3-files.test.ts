import { type S3Server, startS3Server } from '@postrider/testkit/servers/s3-server.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFiles } from './create-files.ts';
import { type Files, FilesFull } from './files.ts';

describe('createS3Files', () => {
  let server: S3Server;
  let files: Files;

  beforeEach(async () => {
    process.env.AWS_ACCESS_KEY_ID = 'test';
    process.env.AWS_SECRET_ACCESS_KEY = 'test';
    server = await startS3Server('mail');
    files = createFiles({ location: 's3://mail/our/prefix', s3Endpoint: server.url });
  });
  afterEach(async () => {
    await files.close();
    await server.close();
  });

  it('puts its prefix before every key, and addresses the bucket by path', async () => {
    await files.put('a/b', Buffer.from('x'));
    expect([...server.objects.keys()]).toEqual(['our/prefix/a/b']);
    expect(server.requests).toEqual([expect.stringMatching(/^PUT \/mail\/our\/prefix\/a\/b(\?|$)/)]);
  });

  it('works without a prefix', async () => {
    const whole = createFiles({ location: 's3://mail', s3Endpoint: server.url });
    await whole.put('a/b', Buffer.from('x'));
    expect([...server.objects.keys()]).toEqual(['a/b']);
    await whole.close();
  });

  it('tries again when the service stumbles', async () => {
    server.failNext(503, 'SlowDown', 2);
    await files.put('a/b', Buffer.from('x'));
    expect(String(await files.read('a/b'))).toBe('x');
  });

  it('deletes page by page and in batches', async () => {
    for (let index = 0; index < 2_500; index += 1)
      server.objects.set(`our/prefix/a/${index}`, Buffer.alloc(0));
    server.objects.set('our/prefix/ab', Buffer.alloc(0));
    const left: number[] = [];
    await files.deletePrefix('a', async () => {
      left.push(server.objects.size - 1);
    });
    expect(left).toEqual([2_500, 1_500, 500]);
    expect([...server.objects.keys()]).toEqual(['our/prefix/ab']);
    expect(server.requests.filter((request) => request.startsWith('POST'))).toHaveLength(3);
    await files.delete(Array.from({ length: 1_001 }, (_, index) => `b/${index}`));
    expect(server.requests.filter((request) => request.startsWith('POST'))).toHaveLength(5);
  });

  it('tells a full service apart from other failures', async () => {
    server.failNext(507, 'XMinioStorageFull', 3);
    await expect(files.put('a/b', Buffer.from('x'))).rejects.toThrow(FilesFull);
  });

  it('does not take a missing bucket for a missing file', async () => {
    const elsewhere = createFiles({ location: 's3://other', s3Endpoint: server.url });
    await expect(elsewhere.read('a/b')).rejects.toThrow('NoSuchBucket');
    await expect(elsewhere.check()).rejects.toThrow();
    await elsewhere.close();
  });

  it('passes on a refusal', async () => {
    server.failNext(403, 'AccessDenied');
    await expect(files.read('a/b')).rejects.toThrow('AccessDenied');
  });

  it('says when it does not work', async () => {
    await server.close();
    await expect(files.check()).rejects.toThrow();
    server = await startS3Server('mail');
  });
});
