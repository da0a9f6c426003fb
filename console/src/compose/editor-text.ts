import type { JSONContent } from '@tiptap/core';

/** Returns a plain text as the document of the editor: a paragraph for each line. */
export function documentOfText(text: string): JSONContent {
  const lines = text.split(/\r\n|\r|\n/);
  return {
    type: 'doc',
    content: lines.map((line) => ({
      type: 'paragraph',
      ...(line !== '' && { content: [{ type: 'text', text: line }] }),
    })),
  };
}

/** Returns the plain text of a document: lists with their marks, quotes with `>`, and links with their addresses. */
export function textOfDocument(document: JSONContent): string {
  return listLines(document).join('\n');
}

/** Returns whether a document is nothing but lines of text, so that its plain text says all of it. */
export function isPlainDocument({ content = [] }: JSONContent): boolean {
  return content.every(
    ({ type, content: inline = [] }) =>
      type === 'paragraph' && inline.every(({ marks = [] }) => marks.length === 0),
  );
}

function listLines(node: JSONContent): string[] {
  const children = node.content ?? [];
  if (node.type === 'paragraph') return textOfLine(children).split('\n');
  if (node.type === 'blockquote')
    return children.flatMap(listLines).map((line) => (line === '' ? '>' : `> ${line}`));
  if (node.type === 'bulletList') return children.flatMap((item) => indent(listLines(item), '- '));
  if (node.type === 'orderedList') {
    const first = Number(node.attrs?.start ?? 1);
    return children.flatMap((item, index) => indent(listLines(item), `${first + index}. `));
  }
  return children.flatMap(listLines);
}

function indent([first = '', ...others]: string[], mark: string): string[] {
  return [mark + first, ...others.map((line) => ' '.repeat(mark.length) + line)];
}

/** A link may be cut into pieces by other marks, so its address follows its last piece. */
function textOfLine(inline: JSONContent[]): string {
  return inline
    .map((node, index) => {
      if (node.type === 'hardBreak') return '\n';
      const { text = '' } = node;
      const href = findAddress(node);
      if (href === null || href === findAddress(inline[index + 1])) return text;
      return href === text || href === `mailto:${text}` ? text : `${text} (${href})`;
    })
    .join('');
}

function findAddress(node: JSONContent | undefined): string | null {
  const href: unknown = node?.marks?.find(({ type }) => type === 'link')?.attrs?.href;
  return typeof href === 'string' ? href : null;
}
