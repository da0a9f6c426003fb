import { listProblems } from '@postrider/testkit/lib/config-problems.ts';
import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';

const service = {
  POSTRIDER_EMBEDDINGS: 'openai',
  POSTRIDER_EMBEDDINGS_URL: 'https://api.example.com/v1',
  POSTRIDER_EMBEDDINGS_MODEL: 'text-embedding-3-small',
  POSTRIDER_EMBEDDINGS_DIMENSIONS: '1536',
};

describe('the settings of search by meaning', () => {
  test('choose the built-in words by default, and off switches it off', () => {
    expect(readConfig({}).embeddings).toEqual({ kind: 'words' });
    expect(readConfig({ POSTRIDER_EMBEDDINGS: 'off' }).embeddings).toEqual({ kind: 'off' });
  });

  test('name a service, with or without a key', () => {
    const settings = {
      kind: 'openai',
      url: 'https://api.example.com/v1',
      key: null,
      model: 'text-embedding-3-small',
      dimensions: 1536,
    };
    expect(readConfig(service).embeddings).toEqual(settings);
    expect(readConfig({ ...service, POSTRIDER_EMBEDDINGS_KEY: 'sk-1' }).embeddings).toEqual({
      ...settings,
      key: 'sk-1',
    });
  });

  test('name a service by its URL alone', () => {
    const url = 'http://127.0.0.1:11434/v1/embeddings';
    const settings = { POSTRIDER_EMBEDDINGS: url, POSTRIDER_EMBEDDINGS_MODEL: 'bge-m3' };
    expect(readConfig(settings).embeddings).toEqual({
      kind: 'openai',
      url,
      key: null,
      model: 'bge-m3',
      dimensions: null,
    });
    expect(listProblems({ POSTRIDER_EMBEDDINGS: url })).toEqual([
      'POSTRIDER_EMBEDDINGS_MODEL is required when POSTRIDER_EMBEDDINGS is a URL.',
    ]);
    expect(listProblems({ ...settings, POSTRIDER_EMBEDDINGS_URL: url })).toEqual([
      'POSTRIDER_EMBEDDINGS is a URL, and POSTRIDER_EMBEDDINGS_URL is set, too: keep one.',
    ]);
  });

  test('name a folder, or a model in a folder', () => {
    expect(
      readConfig({ POSTRIDER_EMBEDDINGS: 'model2vec', POSTRIDER_EMBEDDINGS_PATH: '/models/potion' })
        .embeddings,
    ).toEqual({ kind: 'model2vec', path: '/models/potion' });
    expect(
      readConfig({
        POSTRIDER_EMBEDDINGS: 'transformers',
        POSTRIDER_EMBEDDINGS_PATH: '/models',
        POSTRIDER_EMBEDDINGS_MODEL: 'Xenova/all-MiniLM-L6-v2',
      }).embeddings,
    ).toEqual({ kind: 'transformers', model: 'Xenova/all-MiniLM-L6-v2', path: '/models' });
  });

  test('end the start if the provider is unknown', () => {
    for (const value of ['bert', 'ftp://example.com', 'https://'])
      expect(listProblems({ POSTRIDER_EMBEDDINGS: value })).toEqual([
        'POSTRIDER_EMBEDDINGS must be words, off, openai, model2vec, transformers or the URL of an embeddings service.',
      ]);
  });

  test('end the start with every setting that the provider lacks', () => {
    expect(listProblems({ POSTRIDER_EMBEDDINGS: 'openai' })).toEqual([
      'POSTRIDER_EMBEDDINGS_URL is required when POSTRIDER_EMBEDDINGS is openai.',
      'POSTRIDER_EMBEDDINGS_MODEL is required when POSTRIDER_EMBEDDINGS is openai.',
    ]);
    expect(listProblems({ POSTRIDER_EMBEDDINGS: 'model2vec' })).toEqual([
      'POSTRIDER_EMBEDDINGS_PATH is required when POSTRIDER_EMBEDDINGS is model2vec.',
    ]);
    expect(listProblems({ POSTRIDER_EMBEDDINGS: 'transformers', POSTRIDER_EMBEDDINGS_PATH: '/m' })).toEqual([
      'POSTRIDER_EMBEDDINGS_MODEL is required when POSTRIDER_EMBEDDINGS is transformers.',
    ]);
  });

  test('refuse values that cannot be meant, without repeating a key', () => {
    for (const count of ['0', '7', '4097', '1.5', 'many'])
      expect(listProblems({ ...service, POSTRIDER_EMBEDDINGS_DIMENSIONS: count })).toEqual([
        'POSTRIDER_EMBEDDINGS_DIMENSIONS must be a whole number from 8 to 4096.',
      ]);
    expect(listProblems({ ...service, POSTRIDER_EMBEDDINGS_URL: 'api.example.com' })).toEqual([
      'POSTRIDER_EMBEDDINGS_URL must be a URL such as https://api.openai.com/v1.',
    ]);
    expect(listProblems({ ...service, POSTRIDER_EMBEDDINGS_KEY: 'sk-1\nsecond line' })).toEqual([
      'POSTRIDER_EMBEDDINGS_KEY must be ASCII without spaces.',
    ]);
  });
});
