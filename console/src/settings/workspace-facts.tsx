import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import type { consoleLimits } from '@postrider/contract/console';
import { useQueryClient } from '@tanstack/react-query';
import { settingsText } from '#strings/settings.ts';
import { readFields } from '../lib/browser.ts';
import { useChange } from '../lib/query.ts';
import { sessionKey } from '../lib/session.ts';
import { useAccount } from '../lib/shared-queries.ts';
import { useIsOwner, useWorkspace } from '../lib/workspace.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { FactList } from '../parts/fact-list.tsx';
import { notify } from '../parts/notify.ts';
import { Panel } from '../parts/panel.tsx';
import { Time } from '../parts/time.tsx';

const text = settingsText.workspace;
const nameCharactersMax: (typeof consoleLimits)['nameCharactersMax'] = 100;

/** The title of the workspace, which owners can change, its name and its id. */
export function WorkspaceFacts() {
  const { workspace_id, name, title, test } = useWorkspace();
  const isOwner = useIsOwner();
  const { data } = useAccount();
  const created = data ? <Time value={data.workspace.created_at} absolute /> : <Skeleton w={120} h={14} />;
  return (
    <Panel title={text.title}>
      {isOwner ? (
        <RenameForm key={title} title={title} />
      ) : (
        <div>
          <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Text>
          <Text c="dimmed">{text.ownersOnly}</Text>
        </div>
      )}
      <FactList
        facts={[
          { name: text.nameOnServer, value: name, copy: name },
          { name: text.id, value: workspace_id, copy: workspace_id },
          { name: text.kind, value: test ? text.test : text.live },
          { name: text.created, value: created },
        ]}
      />
    </Panel>
  );
}

function RenameForm({ title }: { title: string }) {
  const queries = useQueryClient();
  const { mutate, isPending, error } = useChange([], async ({ ask }, next: string) => {
    await ask('workspace.update', { body: { title: next } });
    await queries.invalidateQueries({ queryKey: sessionKey });
    void notify({ message: text.saved });
  });
  return (
    <form onSubmit={(event) => mutate(readFields(event)('title'))}>
      <Stack gap="sm" maw={480}>
        {error && <ApiProblem error={error} />}
        <Group align="flex-end" gap="xs" wrap="nowrap">
          <TextInput
            name="title"
            label={text.name}
            defaultValue={title}
            maxLength={nameCharactersMax}
            required
            flex={1}
          />
          <Button type="submit" loading={isPending}>
            {text.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
