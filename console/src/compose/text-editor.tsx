import '@mantine/tiptap/styles.css';
import { Anchor, Box, Input, Text } from '@mantine/core';
import { Link, RichTextEditor } from '@mantine/tiptap';
import {
  createDocument,
  type Editor,
  type Extensions,
  generateHTML,
  getSchema,
  type JSONContent,
} from '@tiptap/core';
import { useEditor } from '@tiptap/react';
import StarterKit from '@tiptap/starter-kit';
import { type KeyboardEvent as ReactKeyboardEvent, useEffect, useState } from 'react';
import { composeText } from '#strings/compose.ts';
import { documentOfText, isPlainDocument, textOfDocument } from './message-text.ts';

const notes = composeText.formatted;
const lineStyle = 'margin:0';
const quoteStyle = `${lineStyle};padding-left:12px;border-left:3px solid #d0d5dd`;

/** The formats that there are. Everything else that is pasted or dropped loses its elements and keeps its text. */
const extensions: Extensions = [
  StarterKit.configure({
    link: false,
    heading: false,
    code: false,
    codeBlock: false,
    horizontalRule: false,
    strike: false,
    underline: false,
    trailingNode: false,
    paragraph: { HTMLAttributes: { style: lineStyle } },
    blockquote: { HTMLAttributes: { style: quoteStyle } },
  }),
  Link.configure({
    openOnClick: false,
    HTMLAttributes: { target: null, rel: null },
    isAllowedUri: (address) => /^(?:https?:\/\/|mailto:)/i.test(address),
  }),
];

const emptyLine = generateHTML(documentOfText(''), extensions);
/** Mail programs draw a paragraph without content with no height. */
const sentEmptyLine = emptyLine.replace('></', '><br></');

interface TextEditorProps {
  /** The text at the beginning. */
  text: string;
  /** Its formatted version; empty for none. */
  html: string;
  description?: string | undefined;
  linesMin: number;
  isDisabled: boolean;
  takesFocus: boolean;
  /** Called with the text and its formatted version, which is empty for a text without format. */
  onChange(text: string, html: string): void;
}

/** The field with the text of a message, which can be formatted. Its document is its own after the beginning. */
export function TextEditor(props: TextEditorProps) {
  const { text, html, description, linesMin, isDisabled, takesFocus, onChange } = props;
  const [content] = useState(() => readHtml(html));
  // A formatted version that this editor cannot write was written by a program, and stays until the text is changed.
  const [isForeign, setForeign] = useState(html !== '' && content === null);
  const editor = useEditor({
    extensions,
    content: content ?? documentOfText(text),
    editable: !isDisabled,
    autofocus: takesFocus ? 'start' : false,
    editorProps: {
      attributes: {
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': composeText.text,
        'data-placeholder': composeText.textPlaceholder,
        style: `min-height:${linesMin * 1.6}em`,
      },
      // The form sends then.
      handleKeyDown: (_view, { key, ctrlKey, metaKey }) => key === 'Enter' && (ctrlKey || metaKey),
      handleKeyPress: (view, { key }) => key === ' ' && typeSpace(view),
    },
    onUpdate: ({ editor: changed }) => {
      const document = changed.getJSON();
      setForeign(false);
      onChange(textOfDocument(document), isPlainDocument(document) ? '' : writeHtml(document));
    },
  });
  useEffect(() => {
    editor?.setEditable(!isDisabled, false);
  }, [editor, isDisabled]);
  return (
    <Input.Wrapper label={composeText.text} description={description} labelElement="div">
      {isForeign && <FormattedText html={html} hasText={text !== ''} />}
      <RichTextEditor editor={editor} labels={composeText.editor} className="console-editor" mt={4}>
        <RichTextEditor.Content />
        <RichTextEditor.Toolbar onKeyDown={moveByArrows}>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Bold />
            <RichTextEditor.Italic />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Link />
            <RichTextEditor.Unlink />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.BulletList />
            <RichTextEditor.OrderedList />
            <RichTextEditor.Blockquote />
          </RichTextEditor.ControlsGroup>
        </RichTextEditor.Toolbar>
      </RichTextEditor>
    </Input.Wrapper>
  );
}

/** Left to the browser, a space beside a format sometimes becomes one that does not break. */
function typeSpace(view: Editor['view']): true {
  const { from, to } = view.state.selection;
  const insertion = () => view.state.tr.insertText(' ').scrollIntoView();
  if (!view.someProp('handleTextInput', (handle) => handle(view, from, to, ' ', insertion)))
    view.dispatch(insertion());
  return true;
}

function moveByArrows({ key, currentTarget, target }: ReactKeyboardEvent<HTMLElement>): void {
  if (key !== 'ArrowRight' && key !== 'ArrowLeft') return;
  const buttons = [...currentTarget.querySelectorAll('button')];
  const at = buttons.indexOf(target as HTMLButtonElement);
  if (at !== -1) buttons.at((at + (key === 'ArrowRight' ? 1 : -1)) % buttons.length)?.focus();
}

/** Returns the document of a formatted version; null if something of it would be lost, or if there is none. */
function readHtml(html: string): JSONContent | null {
  if (html === '') return null;
  const shown = html.replaceAll(sentEmptyLine, emptyLine);
  const document = createDocument(shown, getSchema(extensions), { preserveWhitespace: 'full' }).toJSON();
  return writeHtml(document) === html ? document : null;
}

function writeHtml(document: JSONContent): string {
  return generateHTML(document, extensions).replaceAll(emptyLine, sentEmptyLine);
}

/** The formatted version of a draft, in a frame that runs nothing and loads nothing from elsewhere; and what editing does to it. */
function FormattedText({ html, hasText }: { html: string; hasText: boolean }) {
  const [isShown, setShown] = useState(!hasText);
  return (
    <div>
      <Text variant="note">
        {hasText ? notes.besidesText : notes.only}{' '}
        <Anchor component="button" type="button" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? notes.hide : notes.show}
        </Anchor>
      </Text>
      {isShown && (
        <Box
          component="iframe"
          display="block"
          w="100%"
          h={240}
          mt={6}
          bd="1px solid var(--console-line)"
          bdrs={6}
          bg="#fff"
          title={notes.frame}
          srcDoc={html}
          sandbox=""
          referrerPolicy="no-referrer"
        />
      )}
    </div>
  );
}
