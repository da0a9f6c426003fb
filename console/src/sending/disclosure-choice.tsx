import { Radio, SimpleGrid, Stack } from '@mantine/core';
import type { Disclosure } from '@postrider/contract';
import { sendingText } from '#strings/sending.ts';
import { controlLists } from '../control/control-queries.ts';
import { useChange } from '../lib/query.ts';
import { useIsOwner } from '../lib/workspace.ts';
import { notify, notifyProblem } from '../parts/notify.ts';
import { OwnersOnly } from '../parts/owners-only.tsx';
import { Panel } from '../parts/panel.tsx';
import { ChoiceCard } from './policy-fields.tsx';

const text = sendingText.disclosure;
const kinds = ['none', 'header', 'footer'] as const;

/** Whether and how recipients are told that an AI wrote a message, with an example of each. */
export function DisclosureChoice({ chosen }: { chosen: Disclosure }) {
  const isOwner = useIsOwner();
  const { mutate, isPending, variables } = useChange(controlLists, ({ ask }, disclosure: Disclosure) =>
    ask('control.setDisclosure', { body: { disclosure } }),
  );
  function choose(next: string) {
    mutate(next as Disclosure, {
      onSuccess: () => void notify({ message: text.saved }),
      onError: notifyProblem,
    });
  }
  return (
    <Panel title={text.title} about={text.about}>
      <Radio.Group
        aria-label={text.title}
        value={isPending ? variables : chosen}
        onChange={choose}
        readOnly={!isOwner || isPending}
      >
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
          {kinds.map((kind) => (
            <ChoiceCard key={kind} value={kind} {...text.choices[kind]} disabled={!isOwner}>
              <MailPreview kind={kind} />
            </ChoiceCard>
          ))}
        </SimpleGrid>
      </Radio.Group>
      <OwnersOnly>{null}</OwnersOnly>
    </Panel>
  );
}

function MailPreview({ kind }: { kind: Disclosure }) {
  return (
    <Stack
      component="span"
      className="sending-mail"
      gap={2}
      px={10}
      py={8}
      mt={6}
      fz="xs"
      bdrs={6}
      aria-hidden
    >
      <span>{text.from}</span>
      <span>{text.subject}</span>
      {kind === 'header' && <mark>{text.header}</mark>}
      <span className="sending-mail-text">{text.text}</span>
      {kind === 'footer' && <mark>{text.line}</mark>}
    </Stack>
  );
}
