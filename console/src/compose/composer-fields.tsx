import { Anchor, Checkbox, Group, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import type { limits } from '@postrider/contract';
import type { Inbox, Message } from 'postrider';
import { type AriaAttributes, type ButtonHTMLAttributes, lazy, Suspense, useId, useState } from 'react';
import { composeText } from '#strings/compose.ts';
import { draftsText } from '#strings/drafts.ts';
import { shortTime } from '../lib/times.ts';
import type { Purpose } from './draft-fields.ts';
import { FileField } from './file-field.tsx';
import { RecipientField } from './recipient-field.tsx';
import type { ComposerState } from './use-composer.ts';

// The editor is larger than the rest of the page, which can be used until it is there.
const TextEditor = lazy(async () => ({ default: (await import('./text-editor.tsx')).TextEditor }));
const inboxesShownMax = 50;
const subjectCharactersMax: (typeof limits)['subjectCharactersMax'] = 998;

interface ComposerFieldsProps {
  composer: ComposerState;
  purpose: Purpose;
  original: Message | null;
  /** The inboxes to choose from; left out if the inbox is given. */
  inboxes?: Inbox[];
  quote: string;
  refusal: string | null;
  takesFocus: boolean;
}

/** The fields of a message: sender, recipients, subject, text and files. */
export function ComposerFields(props: ComposerFieldsProps) {
  const { composer, purpose, quote, original, inboxes, refusal, takesFocus } = props;
  const { fields, saving, change } = composer;
  const linesMin = purpose.kind === 'new' ? 10 : 5;
  return (
    <Stack gap="sm">
      <DraftNote composer={composer} />
      {inboxes && (
        <InboxField inboxes={inboxes} value={fields.inboxId} onChange={(inboxId) => change({ inboxId })} />
      )}
      <Recipients composer={composer} takesFocus={takesFocus && purpose.kind !== 'reply'} />
      <Subject composer={composer} purpose={purpose} />
      <Suspense fallback={<Skeleton height={linesMin * 24 + 40} />}>
        <TextEditor
          text={composer.own.text}
          html={composer.own.html}
          description={purpose.kind === 'forward' ? composeText.forwardNote : undefined}
          linesMin={linesMin}
          isDisabled={composer.isLocked}
          takesFocus={takesFocus && purpose.kind === 'reply'}
          onChange={composer.setOwn}
        />
      </Suspense>
      <QuotedText quote={quote} isQuoted={composer.isQuoted} onChange={composer.setQuoted} />
      {purpose.kind === 'forward' && original !== null && original.attachments.length > 0 && (
        <Checkbox
          label={composeText.forwardFiles(original.attachments.length)}
          checked={fields.withFiles}
          onChange={(event) => change({ withFiles: event.currentTarget.checked })}
        />
      )}
      <FileField
        files={fields.files}
        onChange={(files) => change({ files })}
        isSaving={saving.phase === 'saving' && fields.files.some(({ source }) => source !== undefined)}
        refusal={refusal}
      />
    </Stack>
  );
}

/** The API gives a forward its subject. */
function Subject({ composer: { fields, change }, purpose }: { composer: ComposerState; purpose: Purpose }) {
  if (purpose.kind === 'forward')
    return (
      <Text variant="note" style={{ overflowWrap: 'anywhere' }}>
        {fields.subject}
      </Text>
    );
  return (
    <TextInput
      label={composeText.subject}
      value={fields.subject}
      maxLength={subjectCharactersMax}
      onChange={(event) => change({ subject: event.currentTarget.value })}
    />
  );
}

function Recipients({ composer, takesFocus }: { composer: ComposerState; takesFocus: boolean }) {
  const { fields, saving, isLocked, change } = composer;
  const [areShown, setShown] = useState(false);
  const hasCopies = areShown || fields.cc.length > 0 || fields.bcc.length > 0;
  const kinds = hasCopies ? (['to', 'cc', 'bcc'] as const) : (['to'] as const);
  return kinds.map((kind) => (
    <RecipientField
      key={kind}
      label={composeText[kind]}
      value={fields[kind]}
      onChange={(recipients) => change({ [kind]: recipients })}
      refused={saving.refused}
      disabled={isLocked}
      autoFocus={kind === 'to' && takesFocus && fields.to.length === 0}
      aside={!hasCopies && <TextButton onClick={() => setShown(true)}>{composeText.addCopies}</TextButton>}
    />
  ));
}

function TextButton(
  props: Pick<ButtonHTMLAttributes<HTMLButtonElement>, 'children' | 'onClick' | 'style'> & AriaAttributes,
) {
  return <Anchor component="button" type="button" size="sm" {...props} />;
}

function DraftNote({ composer: { saving } }: { composer: ComposerState }) {
  const { draft } = saving;
  if (draft?.status === 'scheduled' && draft.scheduled_at !== null)
    return <Text c="dimmed">{composeText.scheduled(shortTime(draft.scheduled_at))}</Text>;
  if (draft?.status === 'failed' && draft.failure !== null)
    return (
      <Text c="var(--mantine-color-error)">
        {composeText.failedBefore(draftsText.failures[draft.failure] ?? draftsText.failure(draft.failure))}
      </Text>
    );
  return null;
}

function InboxField(props: { inboxes: Inbox[]; value: string; onChange(inboxId: string): void }) {
  const { inboxes, value, onChange } = props;
  return (
    <Select
      label={composeText.from}
      placeholder={composeText.fromPlaceholder}
      data={inboxes.map(({ id, address, display_name }) => ({
        value: id,
        label: display_name === null ? address : `${display_name} <${address}>`,
      }))}
      value={value === '' ? null : value}
      onChange={(id) => id !== null && onChange(id)}
      allowDeselect={false}
      searchable={inboxes.length > 1}
      limit={inboxesShownMax}
      size="sm"
    />
  );
}

const text = composeText.quote;

function QuotedText(props: { quote: string; isQuoted: boolean; onChange(isQuoted: boolean): void }) {
  const { quote, isQuoted, onChange } = props;
  const [isShown, setShown] = useState(false);
  const id = useId();
  if (quote === '') return null;
  if (!isQuoted)
    return (
      <TextButton style={{ alignSelf: 'flex-start' }} onClick={() => onChange(true)}>
        {text.add}
      </TextButton>
    );
  return (
    <div>
      <Group gap="md">
        <TextButton aria-expanded={isShown} aria-controls={id} onClick={() => setShown(!isShown)}>
          {isShown ? text.hide : text.show}
        </TextButton>
        <TextButton onClick={() => onChange(false)}>{text.remove}</TextButton>
      </Group>
      <section id={id} hidden={!isShown} className="console-quote" aria-label={text.label}>
        {quote}
      </section>
    </div>
  );
}
