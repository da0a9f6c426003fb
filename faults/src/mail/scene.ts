/* The names and addresses of the scene, which exists in a network of its own and so may use any. */

/** A host that sends or receives mail. */
export interface Host {
  name: string;
  address: string;
}

/**
 * The addresses are public ones, so that nothing has to be exempted: SPF says nothing about private addresses, and mail is not sent to
 * them.
 */
export const hosts = {
  server: { name: 'mx.service.example', address: '11.22.33.1' },
  postfix: { name: 'mx.receiver.example', address: '11.22.33.2' },
  stranger: { name: 'mx.stranger.example', address: '11.22.33.3' },
} satisfies Record<string, Host>;

export const zones = {
  /** The shared mail domain of the server. */
  shared: 'service.example',
  /** The domain that a workspace adds. */
  own: 'agents.example',
  receiver: 'receiver.example',
  stranger: 'stranger.example',
};

/** The addresses at the receiver. Any other is refused. */
export const mailboxes = {
  reader: `reader@${zones.receiver}`,
  /** Accepted, and returned later by the system that the Postfix passes it on to. */
  moved: `moved@${zones.receiver}`,
};

/** A selector and key that Postfix signs with. */
export const receiverSelector = 'mail2026';

/** The largest mail that Postfix takes, in bytes. */
export const sizeMax = 2_000_000;
