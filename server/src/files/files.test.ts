import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { startS3Server } from '@postrider/testkit/servers/s3-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFiles } from './create-files.ts';
import { type Files, FileTooLarge, type OpenedFile } from './files.ts';

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest();
const readBytes = async (opened: OpenedFile | null) =>
  opened === null ? null : Buffer.concat(await opened.stream.toArray());

async function openDisk(): Promise<{ files: Files; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'files-'));
  const files = createFiles({ location: `file:${join(folder, 'deep', 'files')}` });
  return { files, stop: () => rm(folder, { recursive: true }) };
}

async function openS3(): Promise<{ files: Files; stop(): Promise<void> }> {
  // The SDK looks for credentials where it always does, and so do these tests.
  process.env.AWS_ACCESS_KEY_ID = 'test';
  process.env.AWS_SECRET_ACCESS_KEY = 'test';
  const server = await startS3Server('mail');
  const files = createFiles({ location: 's3://mail/some/prefix/', s3Endpoint: server.url });
  return { files, stop: () => server.close() };
}

describe.each([
  ['on a disk', openDisk],
  ['in S3', openS3],
])('files %s', (_where, openFiles) => {
  let files: Files;
  let stop: () => Promise<void>;
  let keys = 0;
  const newKey = () => {
    keys += 1;
    return `wsp_1/inb_1/raw/file-${keys}`;
  };

  beforeAll(async () => {
    ({ files, stop } = await openFiles());
  });
  afterAll(async () => {
    await files.close();
    await stop();
  });

  it.each([0, 1, 1_000, 65_536, 65_537, 3_000_000])(
    'gives back %d bytes as they were stored',
    async (sizeBytes) => {
      const data = randomBytes(sizeBytes);
      const [fromBuffer, fromStream] = [newKey(), newKey()];
      const expected = { sizeBytes, sha256: sha256(data) };
      expect(await files.put(fromBuffer, data)).toEqual(expected);
      const pieces = Array.from({ length: Math.ceil(sizeBytes / 10_007) }, (_, index) =>
        data.subarray(index * 10_007, (index + 1) * 10_007),
      );
      expect(await files.put(fromStream, Readable.from(pieces, { objectMode: false }))).toEqual(expected);
      for (const key of [fromBuffer, fromStream]) {
        expect((await files.read(key))?.equals(data)).toBe(true);
        const opened = await files.open(key);
        expect(opened?.sizeBytes).toBe(sizeBytes);
        expect((await readBytes(opened))?.equals(data)).toBe(true);
      }
    },
  );

  it('keeps typed ids apart from plain names, and many of them', async () => {
    const ids = Array.from(
      { length: 30 },
      (_, index) => `wsp_1/inb_1/att/att_01jd3v8yq5fzgbkq6n2x7w4c${10 + index}`,
    );
    await Promise.all(ids.map((key, index) => files.put(key, Buffer.from(`file ${index}`))));
    for (const [index, key] of ids.entries()) expect(String(await files.read(key))).toBe(`file ${index}`);
  });

  it('opens ranges, ends included', async () => {
    const key = newKey();
    await files.put(key, Buffer.from('0123456789'));
    const read = async (start: number, end: number) =>
      String(await readBytes(await files.open(key, { start, end })));
    expect(await read(0, 0)).toBe('0');
    expect(await read(2, 4)).toBe('234');
    expect(await read(9, 9)).toBe('9');
    expect(await read(7, 1_000)).toBe('789');
    expect((await openedAndClosed(files, key, { start: 2, end: 4 }))?.sizeBytes).toBe(10);
    await expect(files.open(key, { start: 10, end: 12 })).rejects.toThrow(RangeError);
    await expect(files.open(key, { start: 5, end: 4 })).rejects.toThrow(RangeError);
    await expect(files.open(key, { start: -1, end: 4 })).rejects.toThrow(RangeError);
  });

  it('knows nothing of keys that were never stored', async () => {
    expect(await files.read('wsp_9/inb_9/raw/none')).toBeNull();
    expect(await files.open('wsp_9/inb_9/raw/none')).toBeNull();
    expect(await files.open('wsp_9/inb_9/raw/none', { start: 0, end: 1 })).toBeNull();
    expect(await files.read('wsp_1')).toBeNull();
    expect(await files.open('wsp_1/inb_1')).toBeNull();
  });

  it('replaces a file as a whole', async () => {
    const key = newKey();
    await files.put(key, Buffer.from('first and long'));
    await files.put(key, Buffer.from('second'));
    expect(String(await files.read(key))).toBe('second');
  });

  it('stores nothing past bytesMax, and the last byte that is allowed', async () => {
    const key = newKey();
    const tooMuch = Readable.from([Buffer.alloc(60), Buffer.alloc(41)], { objectMode: false });
    await expect(files.put(key, tooMuch, { bytesMax: 100 })).rejects.toThrow(FileTooLarge);
    await expect(files.put(key, Buffer.alloc(101), { bytesMax: 100 })).rejects.toThrow(FileTooLarge);
    expect(await files.read(key)).toBeNull();
    expect(await files.put(key, Buffer.alloc(100), { bytesMax: 100 })).toMatchObject({ sizeBytes: 100 });
  });

  it('hears a sender out that it refuses, so that the sender can be answered', async () => {
    const source = new PassThrough();
    const refused = expect(files.put(newKey(), source, { bytesMax: 10 })).rejects.toThrow(FileTooLarge);
    for (let piece = 0; piece < 40; piece += 1) {
      if (!source.write(Buffer.alloc(10_000))) await new Promise((resolve) => source.once('drain', resolve));
    }
    await new Promise<void>((resolve) => source.end(resolve));
    await refused;
  });

  it('stores nothing of a source that fails, and rejects with its error', async () => {
    const key = newKey();
    const source = new PassThrough();
    const stored = files.put(key, source);
    source.write(Buffer.alloc(100_000));
    setTimeout(() => source.destroy(new Error('the sender hung up')), 20);
    await expect(stored).rejects.toThrow('the sender hung up');
    expect(await files.read(key)).toBeNull();
  });

  it('does not take a source for whole that was closed before its end', async () => {
    const key = newKey();
    const source = new PassThrough();
    const stored = files.put(key, source);
    source.write(Buffer.alloc(100_000));
    setTimeout(() => source.destroy(), 20);
    await expect(stored).rejects.toThrow();
    expect(await files.read(key)).toBeNull();
  });

  it('bears a source that fails before it is read', async () => {
    const source = new PassThrough();
    const stored = files.put(newKey(), source);
    source.destroy(new Error('the sender hung up'));
    await expect(stored).rejects.toThrow('the sender hung up');
    await expect(files.put(newKey(), source)).rejects.toThrow('the sender hung up');
  });

  it('keeps what it had when a replacement fails', async () => {
    const key = newKey();
    await files.put(key, Buffer.from('kept'));
    await expect(files.put(key, Buffer.alloc(11), { bytesMax: 10 })).rejects.toThrow(FileTooLarge);
    expect(String(await files.read(key))).toBe('kept');
  });

  it('deletes files, and does not mind those that are gone', async () => {
    const [first, second, kept] = [newKey(), newKey(), newKey()];
    for (const key of [first, second, kept]) await files.put(key, Buffer.from('x'));
    await files.delete([]);
    await files.delete([first, second, 'wsp_9/inb_9/raw/none', 'wsp_1/inb_1']);
    await files.delete([first]);
    expect(await files.read(first)).toBeNull();
    expect(await files.read(second)).toBeNull();
    expect(await files.read(kept)).not.toBeNull();
  });

  it('deletes everything below a prefix and nothing beside it', async () => {
    const below = [
      'wsp_2/inb_1/raw/a',
      'wsp_2/inb_1/att/b',
      'wsp_2/inb_1/att/att_01jd3v8yq5fzgbkq6n2x7w4cde',
      'wsp_2/inb_1/c',
    ];
    const beside = ['wsp_2/inb_10/raw/a', 'wsp_2/inb_2/raw/a'];
    for (const key of [...below, ...beside]) await files.put(key, Buffer.from('x'));
    await files.deletePrefix('wsp_2/inb_1');
    for (const key of below) expect(await files.read(key)).toBeNull();
    for (const key of beside) expect(await files.read(key)).not.toBeNull();
    await files.deletePrefix('wsp_2/inb_1');
    await files.deletePrefix('wsp_8');
    await files.put('wsp_2/inb_1/raw/a', Buffer.from('again'));
    expect(String(await files.read('wsp_2/inb_1/raw/a'))).toBe('again');
  });

  it('stores many files at once, each whole', async () => {
    const all = Array.from({ length: 60 }, (_, index) => ({
      key: `wsp_3/inb_${index % 7}/raw/${index}`,
      data: randomBytes(index * 997),
    }));
    await Promise.all(all.map(({ key, data }) => files.put(key, data)));
    for (const { key, data } of all) expect((await files.read(key))?.equals(data)).toBe(true);
  });

  it.each([
    '',
    '/',
    'a/',
    '/a',
    'a//b',
    '.',
    '..',
    'a/../b',
    '../a',
    'a/.tmp',
    'a\0b',
    'a\\b',
    'a b',
    'ü',
    '~a',
    'a\n',
    `${'a/'.repeat(300)}a`,
    'a'.repeat(129),
  ])('refuses the malformed key %j everywhere', async (key) => {
    await expect(files.put(key, Buffer.from('x'))).rejects.toThrow(TypeError);
    await expect((async () => files.read(key))()).rejects.toThrow(TypeError);
    await expect((async () => files.open(key))()).rejects.toThrow(TypeError);
    await expect((async () => files.delete([key]))()).rejects.toThrow(TypeError);
    await expect((async () => files.deletePrefix(key))()).rejects.toThrow(TypeError);
  });

  it('says that it works', async () => {
    await expect(files.check()).resolves.toBeUndefined();
  });
});

async function openedAndClosed(files: Files, key: string, range: { start: number; end: number }) {
  const opened = await files.open(key, range);
  opened?.stream.destroy();
  return opened;
}

describe('createFiles', () => {
  it.each([
    '',
    'files',
    'file:',
    'file:relative/folder',
    'http://example.com',
    's3://',
    's3://A_B/c',
    's3:/mail',
  ])('refuses the location %j', (location) => {
    expect(() => createFiles({ location })).toThrow(TypeError);
  });
});
