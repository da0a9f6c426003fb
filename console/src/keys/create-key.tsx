import { Stack, TextInput } from '@mantine/core';
import type { consoleLimits, NewApiKey } from '@postrider/contract/console';
import { type FormEvent, useState } from 'react';
import { keysText } from '#strings/keys.ts';
import { useChange } from '../lib/query.ts';
import { readFields } from '../lib/read-fields.ts';
import { useSession } from '../lib/session.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { FormActions } from '../parts/form-dialog.tsx';
import { CreateOnce, ShownOnce } from '../parts/shown-once.tsx';
import { KeyFields } from './key-fields.tsx';
import { type KeyLimits, keyLists, noLimits } from './key-limits.ts';
import { environmentLines, tryKeySnippets } from './key-snippets.ts';

const nameCharactersMax: (typeof consoleLimits)['keyNameCharactersMax'] = 100;

/** The dialog that creates a key and shows it once, with instructions. */
export function CreateKey({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const { api_url } = useSession().server;
  return (
    <CreateOnce<NewApiKey>
      {...{ isOpen, onClose }}
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
  const { mutate, isPending, error } = useChange(
    ({ ask }, body: { name: string } & KeyLimits) => ask('keys.create', { body }),
    keyLists,
  );
  const isIncomplete = limits.inbox_ids?.length === 0;
  function submit(event: FormEvent<HTMLFormElement>) {
    const name = readFields(event)('name');
    if (!isIncomplete) mutate({ name, ...limits }, { onSuccess: onCreated });
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {error && <ApiProblem error={error} />}
        <TextInput
          name="name"
          label={keysText.newKey.name}
          description={keysText.newKey.nameHelp}
          placeholder={keysText.newKey.namePlaceholder}
          maxLength={nameCharactersMax}
          autoComplete="off"
          required
          withAsterisk={false}
          data-autofocus
        />
        <KeyFields value={limits} onChange={setLimits} />
        <FormActions
          submit={keysText.newKey.submit}
          isPending={isPending}
          isDisabled={isIncomplete}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
