import { afterOtherNumber, bargain, beforeOtherNumber, codeWords } from '../../sdk/src/waits/code-words.ts';
import { candidates } from '../../sdk/src/waits/find-code.ts';
import { elsewhere, unwanted, urlInText, wanted } from '../../sdk/src/waits/find-link.ts';
import { fileHead, snakeCase } from './type-text.ts';

const patterns = {
  codeWords,
  beforeOtherNumber,
  afterOtherNumber,
  bargain,
  candidates,
  wanted,
  unwanted,
  elsewhere,
  urlInText,
};

/** Returns the file with the patterns of the SDK that find codes and links in mail. */
export function patternsFile(): string {
  const lines = Object.entries(patterns).map(
    ([name, pattern]) =>
      `${snakeCase(name).toUpperCase()} = re.compile(\n    ${pythonText(toPython(pattern.source))},\n    ${pattern.flags.includes('i') ? 're.IGNORECASE' : '0'},\n)\n`,
  );
  return `${fileHead}
import re

${lines.join('\n')}`;
}

function pythonText(source: string): string {
  return JSON.stringify(source).replaceAll(/[^\x20-\x7e]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff
      ? `\\U${code.toString(16).padStart(8, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

const word = 'A-Za-z0-9_';
const boundary = `(?:(?<![${word}])(?=[${word}])|(?<=[${word}])(?![${word}]))`;
const outside: Record<string, string> = {
  w: `[${word}]`,
  W: `[^${word}]`,
  d: '[0-9]',
  b: boundary,
  'p{L}': '[^\\W\\d_]',
};
const inside: Record<string, string> = { w: word, d: '0-9' };

/**
 * Returns a pattern of JavaScript as one of Python. There, `\w` and its kin mean letters of all scripts, and what a look-behind looks
 * for has one length.
 */
export function toPython(source: string): string {
  const fixed = source.replaceAll(/\(\?<!(\\d)(\[[^\]]*\])\{1,2\}\)/g, '(?<!$1$2)(?<!$1$2$2)');
  let isInClass = false;
  return fixed.replaceAll(/\\p\{L\}|\\.|\(\?<(?![=!])|[[\]$^]/gs, (token, offset: number) => {
    if (token === '[' && !isInClass) isInClass = true;
    else if (token === ']') isInClass = false;
    else if (token === '(?<') return '(?P<';
    else if (token === '$' && !isInClass) return '\\Z';
    else if (token.startsWith('\\')) {
      const known = (isInClass ? inside : outside)[token.slice(1)];
      if (isInClass && /^\\(?:[WbB]|p\{)/.test(token))
        throw new Error(`no such class in Python: ${token} at ${offset}`);
      return known ?? token;
    }
    return token;
  });
}
