import { Input, SegmentedControl, Stack, Switch, TextInput } from '@mantine/core';
import type { ApiKey, NewApiKey } from '@postrider/contract/console';
import { useState } from 'react';
import { keysText } from '#strings/keys.ts';
import { useChange } from '../lib/query.ts';
import { useSession } from '../lib/session.ts';
import { fromLocalInput, toLocalInput } from '../lib/times.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { FactList } from '../parts/fact-list.tsx';
import { ApiForm, type DialogProps, type FieldProps, NameField } from '../parts/form-dialog.tsx';
import { InboxSelect } from '../parts/inbox-filter.tsx';
import { CreateOnce, ShownOnce } from '../parts/shown-once.tsx';
import { Time } from '../parts/time.tsx';
import { notifyHeld } from '../sending/describe-policy.tsx';
import { PolicyFields } from '../sending/policy-fields.tsx';
import { inDays, type KeyLimits, keyLists, noLimits, pickLimits } from './key-limits.ts';
import { environmentLines, tryKeySnippets } from './key-snippets.ts';

const { details, limits: text } = keysText;

/** The dialog that creates a key and shows it once, with instructions. */
export function CreateKey(dialog: DialogProps) {
  const { onClose } = dialog;
  const { api_url } = useSession().server;
  return (
    <CreateOnce<NewApiKey>
      {...dialog}
      title={keysText.newKey.title}
      doneTitle={keysText.shown.title}
      form={(onCreated) => <KeyForm {...{ onCreated, onClose }} />}
    >
      {({ key }) => (
        <ShownOnce label={keysText.shown.key} secret={key} onClose={onClose}>
          <CodeBlock label={keysText.shown.environment} code={environmentLines(api_url, key)} />
          {tryKeySnippets(api_url).map((snippet) => (
            <CodeBlock key={snippet.label} {...snippet} />
          ))}
        </ShownOnce>
      )}
    </CreateOnce>
  );
}

function KeyForm({ onCreated, onClose }: { onCreated(key: NewApiKey): void; onClose(): void }) {
  const [limits, setLimits] = useState(noLimits);
  const { mutateAsync } = useChange(keyLists, ({ ask }, body: { name: string } & KeyLimits) =>
    ask('keys.create', { body }),
  );
  return (
    <ApiForm
      submit={keysText.newKey.submit}
      isDisabled={limits.inbox_ids?.length === 0}
      onSubmit={(field) => mutateAsync({ name: field('name'), ...limits })}
      onDone={onCreated}
      onCancel={onClose}
    >
      <NameField
        label={keysText.newKey.name}
        description={keysText.newKey.nameHelp}
        placeholder={keysText.newKey.namePlaceholder}
      />
      <KeyFields value={limits} onChange={setLimits} />
    </ApiForm>
  );
}

/** The opened row of a key: its creator, and its limits, which can be changed while it is in force. */
export function KeyDetails({ apiKey }: { apiKey: ApiKey }) {
  const { id, created_at, created_by, last_used_at, revoked_at } = apiKey;
  return (
    <Stack gap="md" maw={760}>
      <FactList
        facts={[
          { name: details.id, value: id, copy: id },
          { name: keysText.columns.created, value: <Time value={created_at} absolute /> },
          { name: keysText.columns.creator, value: created_by?.name ?? keysText.byServer },
          {
            name: keysText.columns.used,
            value: last_used_at === null ? keysText.neverUsed : <Time value={last_used_at} absolute />,
          },
        ]}
      />
      {revoked_at === null && <LimitsForm apiKey={apiKey} />}
    </Stack>
  );
}

function LimitsForm({ apiKey }: { apiKey: ApiKey }) {
  const { id, name } = apiKey;
  const [typed, setTyped] = useState(pickLimits(apiKey));
  const { mutateAsync } = useChange(keyLists, ({ ask }, body: KeyLimits) =>
    ask('keys.update', { params: { id }, body }),
  );
  const isIncomplete = typed.inbox_ids?.length === 0;
  return (
    <ApiForm
      submit={details.save}
      isDisabled={isIncomplete}
      beside={isIncomplete && <span role="status">{text.chooseInboxes}</span>}
      onSubmit={() => mutateAsync(typed)}
      done={() => details.saved(name)}
      onDone={({ held_webhooks }) => notifyHeld(held_webhooks)}
    >
      <KeyFields value={typed} onChange={setTyped} />
    </ApiForm>
  );
}

function KeyFields({ value, onChange }: FieldProps<KeyLimits>) {
  const change = (part: Partial<KeyLimits>) => onChange({ ...value, ...part });
  return (
    <Stack gap="md">
      <InboxScope value={value.inbox_ids} onChange={(inbox_ids) => change({ inbox_ids })} />
      <Switch
        label={text.readOnly}
        description={text.readOnlyHelp}
        checked={value.read_only}
        onChange={({ currentTarget }) => change({ read_only: currentTarget.checked })}
      />
      <ExpiryField value={value.expires_at} onChange={(expires_at) => change({ expires_at })} />
      {!value.read_only && (
        <details>
          <summary style={{ paddingBlock: 4, fontWeight: 500, cursor: 'pointer' }}>{text.policy}</summary>
          <Stack mt="sm">
            <PolicyFields value={value.policy} onChange={(policy) => change({ policy })} />
          </Stack>
        </details>
      )}
    </Stack>
  );
}

/** The inboxes for which a key is; null for all. */
function InboxScope({ value, onChange }: FieldProps<string[] | null>) {
  return (
    <Input.Wrapper label={text.inboxes} labelElement="div" description={text.inboxesHelp}>
      <Stack gap="xs" mt="xs">
        <SegmentedControl
          aria-label={text.inboxes}
          data={[
            { value: 'all', label: text.allInboxes },
            { value: 'some', label: text.someInboxes },
          ]}
          value={value === null ? 'all' : 'some'}
          onChange={(next) => onChange(next === 'all' ? null : [])}
          style={{ alignSelf: 'flex-start' }}
        />
        {value !== null && (
          <InboxSelect
            aria-label={text.chosenInboxes}
            placeholder={text.chooseInboxes}
            value={value}
            onChange={onChange}
          />
        )}
      </Stack>
    </Input.Wrapper>
  );
}

const days = { days30: 30, days90: 90 } as const;
type Kind = 'never' | keyof typeof days | 'date';
const kinds: Kind[] = ['never', 'days30', 'days90', 'date'];

/** The time at which a key expires, in ISO 8601; null for never. */
function ExpiryField({ value, onChange }: FieldProps<string | null>) {
  const [kind, setKind] = useState<Kind>(value === null ? 'never' : 'date');
  function choose(next: Kind) {
    setKind(next);
    if (next === 'never') onChange(null);
    else onChange(next === 'date' ? (value ?? inDays(7, Date.now())) : inDays(days[next], Date.now()));
  }
  return (
    <Input.Wrapper label={text.expiry} labelElement="div" description={text.expiryHelp}>
      <Stack gap="xs" mt="xs">
        <SegmentedControl<Kind>
          aria-label={text.expiry}
          data={kinds.map((one) => ({ value: one, label: text.expiries[one] }))}
          value={kind}
          onChange={choose}
          style={{ alignSelf: 'flex-start' }}
        />
        {kind === 'date' && (
          <TextInput
            type="datetime-local"
            aria-label={text.expiryDate}
            defaultValue={toLocalInput(value ?? '')}
            onChange={({ currentTarget }) => {
              const time = fromLocalInput(currentTarget.value);
              if (time !== '') onChange(time);
            }}
            required
            maw={240}
          />
        )}
      </Stack>
    </Input.Wrapper>
  );
}
