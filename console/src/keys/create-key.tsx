import type { NewApiKey } from '@postrider/contract/console';
import { useState } from 'react';
import { keysText } from '#strings/keys.ts';
import { useChange } from '../lib/query.ts';
import { useSession } from '../lib/session.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { ApiForm, NameField } from '../parts/form-dialog.tsx';
import { CreateOnce, ShownOnce } from '../parts/shown-once.tsx';
import { KeyFields } from './key-fields.tsx';
import { type KeyLimits, keyLists, noLimits } from './key-limits.ts';
import { environmentLines, tryKeySnippets } from './key-snippets.ts';

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
  const { mutateAsync } = useChange(
    ({ ask }, body: { name: string } & KeyLimits) => ask('keys.create', { body }),
    keyLists,
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
