import { expect, test } from 'vitest';
import { examineEmbeddings } from './examine-search.ts';

test('a model whose packages are there is fine, and a provider without any is not mentioned', async () => {
  expect(await examineEmbeddings({ embeddings: { kind: 'model2vec', path: '/models/potion' } })).toEqual([
    { part: 'embeddings', state: 'ok', text: 'everything that model2vec needs is installed' },
  ]);
  for (const kind of ['words', 'off'] as const)
    expect(await examineEmbeddings({ embeddings: { kind } })).toEqual([]);
});

test('a package that is missing is a problem, with the line that installs it', async () => {
  const embeddings = { kind: 'transformers', model: 'tiny/bert', path: '/models' } as const;
  expect(await examineEmbeddings({ embeddings })).toEqual([
    {
      part: 'embeddings',
      state: 'problem',
      text: 'POSTRIDER_EMBEDDINGS is transformers, which needs the package @huggingface/transformers. It is not installed.',
      remedy: expect.stringContaining('`npm install @huggingface/transformers@4.3.1`'),
    },
  ]);
});

test('one that cannot be loaded is a problem with its cause', async () => {
  const embeddings = { kind: 'model2vec', path: '/models/potion' } as const;
  const lack = { text: 'It cannot be loaded.', remedy: 'Install it.', cause: new Error('no space') };
  expect(await examineEmbeddings({ embeddings }, async () => lack)).toEqual([
    {
      part: 'embeddings',
      state: 'problem',
      text: 'It cannot be loaded. Cause: no space',
      remedy: 'Install it.',
    },
  ]);
});
