import { Alert, Anchor, Button, Group, List, Modal, Stack, Text, TextInput } from '@mantine/core';
import type { consoleLimits } from '@postrider/contract/console';
import { Link } from 'react-router';
import { partsText } from '#strings/parts.ts';
import { pauseText } from '#strings/pause.ts';
import { readFields } from '../lib/browser.ts';
import { useIsOwner } from '../lib/workspace.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import type { DialogProps } from '../parts/form-dialog.tsx';
import { type Place, usePause } from './control-queries.ts';

const reasonCharactersMax: (typeof consoleLimits)['pauseReasonCharactersMax'] = 300;
const { ask, done } = pauseText;

/** The dialog that pauses sending. It says what will stop, and that it has stopped only once the server has confirmed it. */
export function PauseDialog({ place, isOpen, onClose }: DialogProps & { place: Place }) {
  const { mutate, data, error, isPending, reset } = usePause(place);
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title={data ? done.title : ask.title(place)}
      onExitTransitionEnd={reset}
    >
      {data ? (
        <Confirmed underWay={data.under_way} onClose={onClose} />
      ) : (
        <form onSubmit={(event) => mutate(readFields(event)('reason').trim())}>
          <Stack gap="md">
            <div>
              <Text>{ask.stops}</Text>
              <List mt={4} spacing={4} size="sm">
                {Object.values(ask.effects).map((effect) => (
                  <List.Item key={effect}>{effect}</List.Item>
                ))}
              </List>
            </div>
            <TextInput
              name="reason"
              label={ask.reason}
              description={ask.reasonHelp}
              maxLength={reasonCharactersMax}
            />
            {error && <ApiProblem error={error} />}
            <Text role="status" variant="note">
              {isPending ? ask.running : error ? ask.failed : ''}
            </Text>
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={onClose}>
                {partsText.cancel}
              </Button>
              <Button type="submit" color="red.9" loading={isPending} data-autofocus>
                {ask.confirm}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
}

function Confirmed({ underWay, onClose }: { underWay: number; onClose(): void }) {
  const isOwner = useIsOwner();
  const links = [
    { to: '/threads', label: done.links.threads },
    { to: '/requests', label: done.links.requests },
    { to: '/sending', label: done.links.policy },
    ...(isOwner
      ? [
          { to: '/keys', label: done.links.keys },
          { to: '/audit', label: done.links.audit },
        ]
      : []),
  ];
  return (
    <Stack gap="md">
      <Alert role="status" color={underWay === 0 ? 'pine' : 'yellow'} className="console-warning">
        {underWay === 0 ? done.nothing : done.underWay(underWay)}
      </Alert>
      <div>
        <Text>{done.next}</Text>
        <List mt={4} spacing={10} size="sm">
          {links.map(({ to, label }) => (
            <List.Item key={to}>
              <Anchor component={Link} to={to} onClick={onClose} size="sm">
                {label}
              </Anchor>
            </List.Item>
          ))}
        </List>
      </div>
      <Group justify="flex-end">
        <Button onClick={onClose} data-autofocus>
          {done.close}
        </Button>
      </Group>
    </Stack>
  );
}
