import { Button, Stack, Text, TextInput } from '@mantine/core';
import type { consoleLimits } from '@postrider/contract/console';
import { accountText } from '#strings/account.ts';
import { readFields } from '../lib/read-fields.ts';
import { useSession } from '../lib/session.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { notify } from '../parts/notify.ts';
import { Panel } from '../parts/panel.tsx';
import { useRename } from './account-queries.ts';

const text = accountText.profile;
const nameCharactersMax: (typeof consoleLimits)['nameCharactersMax'] = 100;

/** The name of the person, and the email address. */
export function Profile() {
  const { name, email } = useSession().person;
  const { mutate, isPending, error } = useRename();
  return (
    <Panel title={text.title}>
      <form
        onSubmit={(event) =>
          mutate(readFields(event)('name'), { onSuccess: () => void notify({ message: text.done }) })
        }
      >
        <Stack gap="sm" maw={420}>
          {error && <ApiProblem error={error} />}
          <TextInput
            key={name}
            name="name"
            label={text.name}
            defaultValue={name}
            autoComplete="name"
            maxLength={nameCharactersMax}
            required
            withAsterisk={false}
          />
          <div>
            <Text size="sm" fw={500}>
              {text.email}
            </Text>
            <Text style={{ overflowWrap: 'anywhere' }}>{email}</Text>
            <Text size="xs" c="dimmed">
              {text.emailHelp}
            </Text>
          </div>
          <div>
            <Button type="submit" loading={isPending}>
              {accountText.save}
            </Button>
          </div>
        </Stack>
      </form>
    </Panel>
  );
}
