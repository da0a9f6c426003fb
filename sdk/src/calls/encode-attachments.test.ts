import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { answer, errorAnswer, stubApi } from '../../test/stub-api.ts';
import type { AttachmentSource } from '../index.ts';
import { encodeAttachments } from './encode-attachments.ts';

const { reply, client } = stubApi();
const text = 'Hello, Åsa';
const bytes = new TextEncoder().encode(text);
const base64 = Buffer.from(text).toString('base64');

afterEach(() => vi.unstubAllGlobals());

async function sent(...attachments: AttachmentSource[]): Promise<unknown[]> {
  const seen = reply(() => answer(201, { id: 'msg_1' }));
  await client().messages.send({ inbox_id: 'inb_1', to: ['ada@example.com'], subject: '', attachments });
  const body: { attachments?: unknown[] } = { ...(seen[0]?.body ?? {}) };
  return body.attachments ?? [];
}

describe('attachments', () => {
  it.each([
    ['Uint8Array', bytes],
    ['Buffer', Buffer.from(text)],
    ['part of a larger buffer', new Uint8Array([0, ...bytes, 0]).subarray(1, -1)],
    ['ArrayBuffer', bytes.buffer.slice(0)],
    ['Blob', new Blob([text])],
  ])('are given as %s', async (_kind, content) => {
    expect(await sent({ content, filename: 'a.txt' })).toEqual([
      { filename: 'a.txt', content_base64: base64 },
    ]);
  });

  it('take name and type from a File, unless they are given', async () => {
    const content = new File([text], 'note.txt', { type: 'text/plain' });
    expect(await sent({ content }, { content, filename: 'b.bin', content_type: 'application/x-b' })).toEqual([
      { filename: 'note.txt', content_type: 'text/plain', content_base64: base64 },
      { filename: 'b.bin', content_type: 'application/x-b', content_base64: base64 },
    ]);
  });

  it('are read from the disk, under the name of the file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'attachments-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'invoice.pdf');
    await writeFile(path, text);
    expect(await sent({ path, content_id: 'logo' }, { path, filename: 'other.pdf' })).toEqual([
      { filename: 'invoice.pdf', content_id: 'logo', content_base64: base64 },
      { filename: 'other.pdf', content_base64: base64 },
    ]);
  });

  it('go as they are when they are base64 already', async () => {
    const input = { filename: 'a.txt', content_type: 'text/plain', content_base64: base64, content_id: 'c' };
    expect(await sent(input)).toEqual([input]);
  });

  it('of every route that takes them are read', async () => {
    const seen = reply(() => answer(200, {}));
    const attachments = [{ content: bytes, filename: 'a.txt' }];
    const api = client();
    await api.messages.check({ inbox_id: 'inb_1', to: ['ada@example.com'], subject: '', attachments });
    await api.messages.reply('msg_1', { text: '', attachments });
    await api.drafts.create({ inbox_id: 'inb_1', attachments });
    await api.drafts.update('dft_1', { attachments });
    for (const { body } of seen) expect(body).toMatchObject({ attachments: [{ content_base64: base64 }] });
    await api.drafts.update('dft_1', { attachments: [] });
    expect(seen.at(-1)?.body).toEqual({ attachments: [] });
  });

  it('are read once for all attempts, and large ones too', async () => {
    const read = vi.fn(async () => Buffer.alloc(1_000_000, 1).buffer);
    const content = Object.assign(new Blob([]), { arrayBuffer: read });
    const seen = reply(
      () => errorAnswer(503, 'unavailable', {}, { 'retry-after': '0' }),
      () => answer(201, {}),
    );
    await client().messages.reply('msg_1', { text: '', attachments: [{ content, filename: 'a' }] });
    expect(seen).toHaveLength(2);
    expect(read).toHaveBeenCalledTimes(1);
  });

  it('are encoded the same where there is no Buffer', async () => {
    const content = new Uint8Array(100_001).map((_value, index) => index % 251);
    const expected = Buffer.from(content).toString('base64');
    vi.stubGlobal('Buffer', undefined);
    const [encoded] = await encodeAttachments([{ content, filename: 'a' }]);
    vi.unstubAllGlobals();
    expect(encoded).toEqual({ filename: 'a', content_base64: expected });
  });
});

describe('attachments that cannot be sent', () => {
  it('say which one has no name', async () => {
    const named = { content: bytes, filename: 'a' };
    await expect(sent(named, { content: new Blob([text]) })).rejects.toThrow(
      'attachments[1] needs a filename',
    );
  });

  it('say which file cannot be read, and why', async () => {
    const call = sent({ path: '/no/such/file.pdf' });
    await expect(call).rejects.toThrow(/attachments\[0\] cannot be read: ENOENT.*file\.pdf/);
  });

  it('say what a content may be', async () => {
    const wrong: unknown = { content: 'text', filename: 'a.txt' };
    await expect(sent(wrong as AttachmentSource)).rejects.toThrow(
      'attachments[0] needs { path }, { content_base64 }',
    );
    await expect(sent({ filename: 'a.txt' } as AttachmentSource)).rejects.toThrow('Buffer, Uint8Array');
  });

  it('say that there is no file system where there is none', async () => {
    vi.stubGlobal('process', { env: {} });
    const call = sent({ path: './a.pdf' });
    await expect(call).rejects.toThrow('there is no file system here');
  });
});
