import { Button, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ApiKey, KeyWorks } from '@postrider/contract/console';
import { useState } from 'react';
import { keysText } from '#strings/keys.ts';
import { useChange, useRead } from '../lib/query.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { keyLists } from './key-limits.ts';

const text = keysText.revoke;

/** The button that revokes a key, and asks what should happen to the things that the key created. */
export function RevokeKey({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [keep, setKeep] = useState(false);
  const { mutateAsync } = useChange(
    ({ ask }, isKept: boolean) => ask('keys.revoke', { params: { id }, body: { keep: isKept } }),
    keyLists,
  );
  const { data: works, isPending } = useRead(
    ['key-works', id],
    ({ ask }) => ask('keys.works', { params: { id } }),
    { enabled: isOpen, gcTime: 0 },
  );
  return (
    <>
      <Button size="xs" variant="default" aria-label={text.label(name)} onClick={open}>
        {text.button}
      </Button>
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title={text.title(name)}
        message={
          <Stack gap="md">
            <Text>{text.message}</Text>
            {isPending && <Skeleton height={20} />}
            {works && <WorksChoice works={works} keep={keep} onChange={setKeep} />}
          </Stack>
        }
        confirm={text.confirm}
        done={text.done(name)}
        onConfirm={() => mutateAsync(keep)}
      />
    </>
  );
}

interface WorksChoiceProps {
  works: KeyWorks;
  keep: boolean;
  onChange(keep: boolean): void;
}

/** Nothing is asked about a key that has set up nothing. */
function WorksChoice({ works: { webhooks, draft_count }, keep, onChange }: WorksChoiceProps) {
  if (webhooks.length === 0 && draft_count === 0) return null;
  return (
    <>
      <div>
        <Text>{text.works(webhooks.length, draft_count)}</Text>
        {webhooks.map(({ id, url }) => (
          <Text key={id} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {url}
          </Text>
        ))}
      </div>
      <Radio.Group
        label={text.whatOf}
        value={keep ? 'keep' : 'stop'}
        onChange={(value) => onChange(value === 'keep')}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="stop" label={text.stop} />
          <Radio value="keep" label={text.keep} />
        </Stack>
      </Radio.Group>
    </>
  );
}
