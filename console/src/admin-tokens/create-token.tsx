import { Checkbox, Input, SegmentedControl, Stack, Text } from '@mantine/core';
import type { CreateAdminToken, NewAdminToken } from '@postrider/contract/console';
import { useState } from 'react';
import { adminTokensText } from '#strings/keys.ts';
import { useChange } from '../lib/query.ts';
import { useSession } from '../lib/session.ts';
import { CodeBlock } from '../parts/code-block.tsx';
import { ApiForm, type DialogProps, NameField } from '../parts/form-dialog.tsx';
import { CreateOnce, ShownOnce } from '../parts/shown-once.tsx';

type Right = keyof typeof adminTokensText.rights;

const { newToken: text, rights: rightTexts, shown } = adminTokensText;
const dayMs = 24 * 60 * 60_000;
const expiries = Object.entries(text.days).map(([value, label]) => ({ value, label }));

/** The dialog that creates an admin token, and shows it once. */
export function CreateToken(dialog: DialogProps) {
  const { onClose } = dialog;
  const url = useSession().server.api_url.replace(/\/v1$/, '/manage/v1');
  return (
    <CreateOnce<NewAdminToken>
      {...dialog}
      title={text.title}
      doneTitle={shown.title}
      form={(onCreated) => <TokenForm {...{ onCreated, onClose }} />}
    >
      {({ token }) => (
        <ShownOnce label={shown.token} secret={token} onClose={onClose}>
          <CodeBlock
            label={shown.try}
            code={`curl ${url}/keys \\\n  -H "Authorization: Bearer $ADMIN_TOKEN"`}
          />
        </ShownOnce>
      )}
    </CreateOnce>
  );
}

function TokenForm({ onCreated, onClose }: { onCreated(token: NewAdminToken): void; onClose(): void }) {
  const [rights, setRights] = useState<Right[]>([]);
  const [days, setDays] = useState('90');
  const { mutateAsync } = useChange(['admin-tokens'], ({ ask }, body: CreateAdminToken) =>
    ask('adminTokens.create', { body }),
  );
  function create(name: string) {
    // A minute is left for a clock that is ahead of that of the server.
    const expires_at = new Date(Date.now() + Number(days) * dayMs - 60_000).toISOString();
    return mutateAsync({ name, rights, expires_at });
  }
  return (
    <ApiForm
      submit={text.submit}
      isDisabled={rights.length === 0}
      onSubmit={(field) => create(field('name'))}
      onDone={onCreated}
      onCancel={onClose}
    >
      <NameField label={text.name} description={text.nameHelp} placeholder={text.namePlaceholder} />
      <Checkbox.Group
        label={text.rights}
        description={text.rightsHelp}
        value={rights}
        onChange={(chosen) => setRights(chosen as Right[])}
      >
        <Stack gap="sm" mt="sm">
          {Object.keys(rightTexts).map((right) => (
            <RightBox key={right} right={right as Right} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Input.Wrapper label={text.expiry} labelElement="div" description={text.expiryHelp}>
        <SegmentedControl aria-label={text.expiry} data={expiries} value={days} onChange={setDays} mt="xs" />
      </Input.Wrapper>
    </ApiForm>
  );
}

/** A right of a token. One that leads to mail says so, whether or not it is chosen. */
function RightBox({ right }: { right: Right }) {
  const { name, help, warning } = rightTexts[right];
  const about = (
    <>
      {help}{' '}
      <Text span inherit fw={600}>
        {warning}
      </Text>
    </>
  );
  return <Checkbox value={right} label={name} description={about} />;
}
