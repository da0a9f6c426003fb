import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { openProvider } from './open-provider.ts';

const open = (environment: Record<string, string>) =>
  openProvider(readConfig(environment), pino({ level: 'silent' }));

test('without any setting, the provider is the built-in table of words', async () => {
  expect(await open({})).toMatchObject({ name: 'words-en-1', dimensions: 356 });
});

test('off opens none', async () => {
  expect(await open({ POSTRIDER_EMBEDDINGS: 'off' })).toBeNull();
});

test('a service is not asked at the start, so that the server starts without it', async () => {
  const provider = await open({
    POSTRIDER_EMBEDDINGS: 'openai',
    POSTRIDER_EMBEDDINGS_URL: 'http://127.0.0.1:1/v1',
    POSTRIDER_EMBEDDINGS_MODEL: 'text-embedding-3-small',
    POSTRIDER_EMBEDDINGS_DIMENSIONS: '1536',
  });
  expect(provider).toMatchObject({
    name: 'openai:text-embedding-3-small',
    version: '1536',
    dimensions: 1536,
  });
  await provider?.close();
});

test('a folder or a model that is not there ends the start', async () => {
  const missing = { POSTRIDER_EMBEDDINGS_PATH: '/no/such/folder', POSTRIDER_EMBEDDINGS_MODEL: 'tiny/bert' };
  for (const kind of ['model2vec', 'transformers'])
    await expect(open({ ...missing, POSTRIDER_EMBEDDINGS: kind })).rejects.toMatchObject({
      name: 'StartError',
    });
});
