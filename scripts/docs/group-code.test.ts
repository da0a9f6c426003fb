import { expect, it } from 'vitest';
import { groupCode } from './group-code.ts';

const block = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\`\n`;

it('blocks that say the same in other languages become tabs', () => {
  const blocks = [block('sh', 'curl a'), block('js', 'a()'), block('python', 'a()')].join('\n');
  expect(groupCode(`Text.\n\n${blocks}\nMore.\n`)).toBe(
    'Text.\n\n::: code-group\n\n```sh [curl]\ncurl a\n```\n\n```js [TypeScript]\na()\n```\n\n```python [Python]\na()\n```\n\n:::\n\nMore.\n',
  );
});

it.each([
  ['a step after a step', [block('sh', 'npm init'), block('js', 'a()')]],
  ['two blocks of one language', [block('sh', 'curl a'), block('sh', 'curl b')]],
  ['a block and its output', [block('sh', 'curl a'), block('text', 'a')]],
  ['blocks with words between them', [block('sh', 'curl a'), 'Then:\n', block('js', 'a()')]],
])('%s stay as they are', (_, parts) => {
  expect(groupCode(parts.join('\n'))).toBe(parts.join('\n'));
});
