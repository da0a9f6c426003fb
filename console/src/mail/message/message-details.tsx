import type { Message } from 'postrider';
import { useState } from 'react';
import { messageText } from '#strings/message.ts';

const shownAtFirst = 6;

/** To whom a message goes. */
export function MessageDetails({ message }: { message: Message }) {
  const { to_addrs, cc_addrs, bcc_addrs, reply_to_addrs, envelope_to, direction } = message;
  const named = new Set([...to_addrs, ...cc_addrs]);
  // Plus tags and blind copies are in the envelope only.
  const envelope = direction === 'inbound' ? envelope_to.filter((address) => !named.has(address)) : [];
  return (
    <dl className="message-details">
      <Addresses name={messageText.to} addresses={to_addrs} />
      <Addresses name={messageText.cc} addresses={cc_addrs} />
      <Addresses name={messageText.bcc} addresses={bcc_addrs} />
      <Addresses name={messageText.replyTo} addresses={reply_to_addrs} />
      <Addresses name={messageText.envelope} addresses={envelope} />
    </dl>
  );
}

function Addresses({ name, addresses }: { name: string; addresses: readonly string[] }) {
  const [isWhole, setWhole] = useState(false);
  if (addresses.length === 0) return null;
  const shown = isWhole ? addresses : addresses.slice(0, shownAtFirst);
  const more = addresses.length - shown.length;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {shown.join(', ')}{' '}
        {more > 0 && (
          <button type="button" className="mail-text-button" onClick={() => setWhole(true)}>
            {messageText.more(more)}
          </button>
        )}
      </dd>
    </>
  );
}
