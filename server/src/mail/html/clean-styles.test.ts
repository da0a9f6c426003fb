import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanStyles } from './css.ts';

const nothing = () => null;
const everything = (address: string) => address;

/** Returns the addresses that a piece of CSS asks for. */
function loadedAddresses(css: string): string[] {
  const asked: string[] = [];
  cleanStyles(css, (address) => {
    asked.push(address);
    return null;
  });
  return asked;
}

describe('cleanStyles', () => {
  test.each([
    ['td > a.x:hover,#y{color:#fff;margin:-1px 0 +.5em;width:calc(100% - 20px)!important}'],
    ['@media only screen and (max-width:600px){.a{display:none}}'],
    ['a[href^="https://example.com/"]{font-family:"Segoe UI",sans-serif;content:"\u201c"}'],
    ['@keyframes x{from{opacity:0}50.5%{opacity:1}}'],
    [':root{--main-color:rgb(0 0 0 / 50%)}p{color:var(--main-color,red)}'],
  ])('leaves harmless CSS as it is: %s', (css) => {
    expect(cleanStyles(css, nothing)).toBe(css);
  });

  test.each([
    ['plain', 'url(http://a.test/x)'],
    ['double quotes', 'url( "http://a.test/x" )'],
    ['single quotes', "url('http://a.test/x')"],
    ['capitals', 'URL(http://a.test/x)'],
    ['an escaped letter', 'u\\72l(http://a.test/x)'],
    ['escapes only', '\\75\\72\\6C(http://a.test/x)'],
    ['long escapes', '\\000075\\000072 l(http://a.test/x)'],
    ['an escaped address', 'url(http\\3a //a.test/\\78)'],
    ['a string over two lines', 'url("http://a.te\\\nst/x")'],
    ['a missing end', 'url(http://a.test/x'],
    ['a missing quote at the end', 'url("http://a.test/x'],
  ])('recognises an address with %s', (_name, css) => {
    expect(loadedAddresses(`a{background:${css}`)).toEqual(['http://a.test/x']);
    expect(cleanStyles(`a{background:${css}`, nothing)).toBe('a{background:none ');
  });

  test('writes the address that is allowed as a string', () => {
    expect(cleanStyles('a{background:URL(x"y)}', everything)).toBe('a{background:none }');
    expect(cleanStyles("a{background:url('x\"y</style>')}", everything)).toBe(
      'a{background:url("x\\22 y\\3c /style>")}',
    );
  });

  test.each([
    ['@import "http://a.test/x";', '@removed "http://a.test/x";'],
    ['@\\69mport url(http://a.test/x);', '@removed none ;'],
    ['@font-face{font-family:x;src:url(http://a.test/x)}', '@removed{font-family:x;src:none }'],
    ['a{background:image-set("http://a.test/x" 1x)}', 'a{background:removed("http://a.test/x" 1x)}'],
    ['a{background:-webkit-image-set(url(x) 1x)}', 'a{background:removed(none  1x)}'],
  ])('takes the force from %s', (css, clean) => {
    expect(cleanStyles(css, nothing)).toBe(clean);
  });

  test.each([
    ['position:fixed', 'position:removed'],
    ['top:0; POSITION : Fixed !important;left:0', 'top:0; POSITION :removed;left:0'],
    ['a{position:-webkit-sticky}', 'a{position:removed}'],
    ['a{b{c:d}position:sticky}', 'a{b{c:d}position:removed}'],
    ['p\\6fsition/*x*/:/**/f\\69xed', 'position/**/:removed'],
    ['\\\nposition:fixed', ' \nposition:removed'],
    ['a:b;<!--position:fixed', 'a:b; position:removed'],
    ['a:"\nposition:fixed', 'a: \nposition:fixed'],
    ['a:";" "\n;position:fixed', 'a:";"  \n;position:removed'],
    ['position:"a;";position:fixed;x:""', 'position:"a;";position:removed;x:""'],
    ['position:var(--x,fixed)', 'position:removed'],
    ['position:x(;position:fixed)', 'position:removed;position:removed'],
    ['@media print{@keyframes x{0%{position:fixed}}}', '@media print{@keyframes x{0%{position:removed}}}'],
  ])('lets nothing follow the window: %s', (css, clean) => {
    expect(cleanStyles(css, nothing)).toBe(clean);
  });

  test.each([
    'position:absolute;top:0',
    'table-layout:fixed',
    'background-attachment:fixed',
    '.position .fixed{color:red}',
    'a{content:"{position:fixed}"}',
    'background-position:calc(1px + 2px)',
  ])('leaves what only looks like it: %s', (css) => {
    expect(cleanStyles(css, nothing)).toBe(css);
  });

  test('joins nothing where it leaves something out', () => {
    expect(loadedAddresses('a{background:u<!--rl(http://a.test/x)}')).toEqual([]);
    expect(cleanStyles('a{background:u<!--rl(x)}', nothing)).toBe('a{background:u rl(x)}');
    expect(cleanStyles('/<!---->* x */', nothing)).toBe('/  * x */');
  });

  test('removes the comment marks of old style sheets, so that their first rule counts', () => {
    expect(cleanStyles('<!-- a{color:red} -->', nothing).trim()).toBe('a{color:red}');
  });

  test('whatever the text, the result reads the same again, loads nothing and begins no tag', () => {
    const pieces = fc.constantFrom(
      ...[
        'url(',
        'u\\72l(',
        '\\',
        '"',
        "'",
        ')',
        '(',
        '<',
        '</style>',
        '<!--',
        '-->',
        '/*',
        '*/',
        '@import ',
        '\n',
      ],
      ...[
        'image-set(',
        'http://a.test/x',
        ' ',
        '-',
        '--',
        '1',
        'e',
        'url',
        '{',
        '}',
        ';',
        '\0',
        '\\75 ',
        '\\\n',
        'position',
        ':',
        'fixed',
      ],
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const clean = cleanStyles(parts.join(''), nothing);
        expect(clean).not.toMatch(/<[a-z/!]/i);
        expect(loadedAddresses(clean)).toEqual([]);
        expect(clean).not.toMatch(/(?:^|[;{}])\s*position\s*:[^;{}"]*fixed/);
        expect(cleanStyles(clean, nothing)).toBe(clean);
      }),
      { numRuns: 2_000 },
    );
  });
});
