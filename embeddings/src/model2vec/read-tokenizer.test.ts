import { describe, expect, test } from 'vitest';
import { readTokenizer } from './read-tokenizer.ts';

const pieces = [
  '[PAD]',
  '[UNK]',
  'invoice',
  'in',
  '##vo',
  '##ice',
  '##s',
  'pay',
  '##ment',
  'the',
  'due',
  'cafe',
].concat(['日', '本', '!', '-', '2026', '##1', '🙂', 'constructor']);

const wordPiece = {
  version: '1.0',
  added_tokens: [{ id: 1, content: '[UNK]', special: true }],
  normalizer: {
    type: 'BertNormalizer',
    clean_text: true,
    handle_chinese_chars: true,
    strip_accents: null,
    lowercase: true,
  },
  pre_tokenizer: { type: 'BertPreTokenizer' },
  post_processor: null,
  decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
  model: {
    type: 'WordPiece',
    unk_token: '[UNK]',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 20,
    vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])),
  },
};

const scored: [string, number][] = [
  ['<unk>', 0],
  ['▁', -3],
  ['▁invoice', -5],
  ['▁in', -4],
  ['voice', -6],
  ['s', -3.5],
  ['▁pay', -5],
  ['ment', -4.5],
  ['▁payment', -6],
  ['▁due▁date', -7],
  ['▁due', -5],
  ['▁date', -5.5],
  ['日本', -7],
  ['🙂', -8],
];

const unigram = {
  ...wordPiece,
  normalizer: {
    type: 'Sequence',
    normalizers: [
      { type: 'Precompiled', precompiled_charsmap: 'ALQCAACEAAAAAACA' },
      { type: 'Lowercase' },
      { type: 'Replace', pattern: { String: '$' }, content: ' $ ' },
      { type: 'Replace', pattern: { Regex: '\\s+' }, content: ' ' },
      { type: 'Strip', strip_left: true, strip_right: true },
    ],
  },
  pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme: 'always', split: false },
  model: { type: 'Unigram', unk_id: 0, vocab: scored, byte_fallback: false },
};

describe('a WordPiece tokenizer', () => {
  const { tokensOf, vocabularySize } = readTokenizer(JSON.stringify(wordPiece));
  const found = (text: string) => tokensOf(text).map((id) => pieces[id]);

  test('finds the longest tokens from the left', () => {
    expect(vocabularySize).toBe(pieces.length);
    expect(found('Invoices: PAYMENTS in-voice due!')).toEqual([
      'invoice',
      '##s',
      'pay',
      '##ment',
      '##s',
      'in',
      '-',
      'due',
      '!',
    ]);
    expect(found('20261')).toEqual(['2026', '##1']);
  });

  test('folds case, marks, spaces and invisible characters', () => {
    expect(found('the\u00a0CAFÉ\tin\u200bvoice \u0000pay\ufffd')).toEqual(['the', 'cafe', 'invoice', 'pay']);
  });

  test('takes Han characters one by one', () => {
    expect(found('日本の🙂')).toEqual(['日', '本']);
    expect(found('日本 🙂')).toEqual(['日', '本', '🙂']);
  });

  test('leaves out words with an unknown part, and those that are too long', () => {
    expect(found('payx refund invoicessssssssssssssssssssss [UNK] ✂')).toEqual([]);
    expect(found('')).toEqual([]);
  });

  test('knows no word from the parts of JavaScript', () => {
    expect(found('constructor toString __proto__')).toEqual(['constructor']);
  });
});

describe('a Unigram tokenizer', () => {
  const { tokensOf, vocabularySize } = readTokenizer(JSON.stringify(unigram));
  const found = (text: string) => tokensOf(text).map((id) => scored[id]![0]);

  test('finds the tokens with the largest sum of scores, also across spaces', () => {
    expect(vocabularySize).toBe(scored.length);
    expect(found('Due  date payments')).toEqual(['▁due▁date', '▁payment', 's']);
    expect(found('invoice in voice')).toEqual(['▁invoice', '▁in', '▁', 'voice']);
  });

  test('leaves out what it does not know, a character at a time', () => {
    expect(found('pay€ \u{1d48a} 日本🙂')).toEqual(['▁pay', '▁', '▁', '日本', '🙂']);
    expect(found('ｉｎ $')).toEqual(['▁in', '▁']);
    expect(found('')).toEqual([]);
  });
});

describe('a file that is no tokenizer', () => {
  test.each<[about: string, change: object, message: string]>([
    ['another model', { model: { type: 'BPE', vocab: {}, merges: [] } }, 'WordPiece or Unigram'],
    ['a vocabulary that is none', { model: { type: 'WordPiece', vocab: { a: -1 } } }, 'model.vocab.a'],
    ['no model', { model: undefined }, 'model'],
    ['a step that is not known', { normalizer: { type: 'Magic' } }, 'normalizer of type "Magic"'],
    [
      'a name that objects have',
      { pre_tokenizer: { type: 'constructor' } },
      'pre-tokenizer of type "constructor"',
    ],
  ])('with %s is refused', (_, change, message) => {
    expect(() => readTokenizer(JSON.stringify({ ...wordPiece, ...change }))).toThrow(message);
  });

  test('and not even JSON is refused', () => {
    expect(() => readTokenizer('<html>')).toThrow(SyntaxError);
  });
});
