import type { Message } from 'postrider';
import { messageText } from '#strings/message.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { recipientWord, statusTone, tellStory } from './story.ts';

const text = messageText.story;

/** How far a sent message came with each recipient. */
export function RecipientStory({ message }: { message: Message }) {
  return (
    <section className="message-story" aria-label={text.title}>
      <h3>{text.title}</h3>
      {message.recipients.map((recipient) => (
        <div key={recipient.address} className="message-recipient">
          <div className="message-recipient-head">
            <span className="message-recipient-address">{recipient.address}</span>
            <StatusBadge tone={recipient.sandboxed ? 'quiet' : statusTone(recipient.status)}>
              {recipientWord(recipient)}
            </StatusBadge>
          </div>
          <ol className="message-steps" data-tone={statusTone(recipient.status)}>
            {tellStory(message, recipient).map(({ at, sentence, said }) => (
              <li key={`${at} ${sentence}`}>
                <div>
                  {sentence} <Time value={at} absolute />
                </div>
                {said !== null && <div className="message-said">{text.server(said)}</div>}
              </li>
            ))}
          </ol>
        </div>
      ))}
    </section>
  );
}
