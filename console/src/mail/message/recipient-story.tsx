import { Group, Text, Timeline, Title } from '@mantine/core';
import type { Message } from 'postrider';
import { messageText } from '#strings/message.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { recipientWord, statusTone, tellStory } from './story.ts';

const text = messageText.story;
const colors = { good: 'pine', waiting: 'yellow', urgent: 'orange', bad: 'red', quiet: 'gray' };

/** The progress of a sent message for each recipient. */
export function RecipientStory({ message }: { message: Message }) {
  return (
    <section aria-label={text.title}>
      <Title order={3} mt="md" mb={6}>
        {text.title}
      </Title>
      {message.recipients.map((recipient) => {
        const tone = recipient.sandboxed ? 'quiet' : statusTone(recipient.status);
        const steps = tellStory(message, recipient);
        return (
          <div key={recipient.address}>
            <Group gap="xs" mb={6}>
              <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
                {recipient.address}
              </Text>
              <StatusBadge tone={tone}>{recipientWord(recipient)}</StatusBadge>
            </Group>
            <Timeline
              active={steps.length - 1}
              color={colors[tone]}
              bulletSize={12}
              lineWidth={2}
              ml={2}
              mb="md"
            >
              {steps.map(({ at, sentence, said }) => (
                <Timeline.Item key={`${at} ${sentence}`} fz="sm">
                  {sentence}{' '}
                  <Text span size="sm" c="dimmed">
                    <Time value={at} absolute />
                  </Text>
                  {said !== null && (
                    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                      {text.server(said)}
                    </Text>
                  )}
                </Timeline.Item>
              ))}
            </Timeline>
          </div>
        );
      })}
    </section>
  );
}
