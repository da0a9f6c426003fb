import { describe, expect, it } from 'vitest';
import { docText, literalText, objectText, typeText } from './type-text.ts';

describe('the TypeScript type of a schema', () => {
  it.each([
    [{ type: 'string', minLength: 1 }, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ const: "it's" }, "'it\\'s'"],
    [{ enum: ['a', 1, null] }, "'a' | 1 | null"],
    [{ $ref: '#/components/schemas/Inbox', description: 'The inbox.' }, 'Inbox'],
    [{ anyOf: [{ $ref: '#/components/schemas/Inbox' }, { type: 'null' }] }, 'Inbox | null'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, "('a' | 'b')[]"],
    [{ type: 'array', items: { type: 'array', items: { type: 'boolean' } } }, 'boolean[][]'],
    [{ type: 'object', additionalProperties: { type: 'string' } }, 'Record<string, string>'],
    [{ type: 'object', properties: {} }, '{}'],
    [{}, 'unknown'],
  ])('of %j is %s', (schema, type) => {
    expect(typeText(schema)).toBe(type);
  });

  it('has one line for each member of a long union', () => {
    const members = ['first', 'second', 'third'].map((name) => name.repeat(6));
    expect(typeText({ enum: members }, '  ')).toBe(members.map((name) => `\n    | '${name}'`).join(''));
  });
});

describe('an object', () => {
  const schema = {
    type: 'object',
    required: ['id'],
    properties: { id: { type: 'string', description: 'The id.' }, 'x-y': { type: 'integer', default: 25 } },
  };

  it('has its descriptions and defaults as comments, and quotes the names that need it', () => {
    expect(objectText(schema, '')).toBe(
      "{\n  /** The id. */\n  id: string;\n  /** @default 25 */\n  'x-y'?: number;\n}",
    );
  });

  it('takes undefined for what a request may leave out', () => {
    expect(objectText(schema, '', true)).toContain("'x-y'?: number | undefined;");
    expect(objectText(schema, '', true)).toContain('  id: string;');
  });
});

describe('a comment', () => {
  it('cannot be ended by a description', () => {
    expect(docText({ description: 'a */ b' }, '')).toBe('/** a *\\/ b */\n');
  });

  it('is wrapped at the width of a line', () => {
    const lines = docText({ description: 'word '.repeat(60) }, '  ').split('\n');
    expect(lines[0]).toBe('  /**');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(110);
  });
});

it('writes text as a literal that means the same', () => {
  expect(literalText("a'b\\c")).toBe("'a\\'b\\\\c'");
});
