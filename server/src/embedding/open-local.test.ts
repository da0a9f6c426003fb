import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findLack, openLocal } from './open-local.ts';

const { signal } = new AbortController();
const transformers = { kind: 'transformers', model: 'tiny/bert', path: '/no/such/folder' } as const;

const emptyFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'empty-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
};

const missing = (): Promise<never> =>
  Promise.reject(
    Object.assign(new Error("Cannot find package '@postrider/embeddings'"), { code: 'ERR_MODULE_NOT_FOUND' }),
  );

test('without the package that runs models, the start ends and says how to install it', async () => {
  for (const kind of ['model2vec', 'transformers'] as const)
    await expect(openLocal({ ...transformers, kind }, missing)).rejects.toMatchObject({
      name: 'StartError',
      message: `POSTRIDER_EMBEDDINGS is ${kind}, which needs the package @postrider/embeddings. It is not installed. Run \`npm install @postrider/embeddings\` in the folder of the server, or set POSTRIDER_EMBEDDINGS to words or off.`,
    });
});

test('a package that cannot be loaded is named with the cause', async () => {
  const broken = () => Promise.reject(new SyntaxError('Unexpected end of input'));
  await expect(openLocal(transformers, broken)).rejects.toThrow(/It cannot be loaded\. .*Unexpected end/);
});

test('without transformers.js, the start ends and says how to install that', async () => {
  await expect(openLocal(transformers)).rejects.toMatchObject({
    name: 'StartError',
    message:
      'POSTRIDER_EMBEDDINGS is transformers, which needs the package @huggingface/transformers. It is not installed. Run `npm install @huggingface/transformers@4.3.1` in the folder of the server, or set POSTRIDER_EMBEDDINGS to words or off.',
  });
});

test('a folder without a model is named in the error, with the remedy', async () => {
  const path = await emptyFolder();
  const opening = openLocal({ kind: 'model2vec', path });
  await expect(opening).rejects.toThrow(`POSTRIDER_EMBEDDINGS_PATH is ${path}, which is not a folder with`);
  await expect(opening).rejects.toThrow(/set POSTRIDER_EMBEDDINGS to words or off\. Cause: ENOENT/);
});

test('nothing is missing for a table, which needs no other package', async () => {
  expect(await findLack({ kind: 'model2vec', path: await emptyFolder() })).toBeNull();
});

test('a failure of the model is one of the provider, which may pass or not', async () => {
  const embeddings = await import('@postrider/embeddings');
  const failing = async (mayPass: boolean) => {
    const fail = () => Promise.reject(new embeddings.ModelError('too long', { mayPass }));
    const model = { name: 'model2vec:tiny', version: '1', dimensions: 2, embedMany: fail, embedQuery: fail };
    const openModel2vec = async () => ({ ...model, close: async () => {} });
    return openLocal({ kind: 'model2vec', path: 'tiny' }, async () => ({ ...embeddings, openModel2vec }));
  };
  const passing = await failing(true);
  await expect(passing.embedQuery('mail', signal)).rejects.toMatchObject({
    name: 'EmbeddingError',
    message: 'model2vec:tiny: too long',
    mayPass: true,
  });
  const lasting = await failing(false);
  await expect(lasting.embedMany(['mail'], signal)).rejects.toMatchObject({ mayPass: false });
});
