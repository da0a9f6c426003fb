/** The paused thing, in the words of a title. */
interface Place {
  level: 'workspace' | 'inbox' | 'key';
  name: string;
}

const counted = (count: number, one: string, many: string) =>
  count > 1_000 ? `more than 1,000 ${many}` : `${count} ${count === 1 ? one : many}`;

const nameSending = ({ level, name }: Place) =>
  ({
    workspace: `all sending of “${name}”`,
    inbox: `sending from ${name}`,
    key: `sending with the key “${name}”`,
  })[level];

/** The red button, its dialog, and the bar while sending is paused. */
export const pauseText = {
  button: 'Pause sending',
  pausedLink: 'Sending paused',
  badge: 'Paused',
  ofPlace: (name: string) => `Pause sending: ${name}`,
  ask: {
    title: (place: Place) => `Pause ${nameSending(place)}?`,
    stops: 'What stops once the server confirms it:',
    effects: {
      sends: 'New messages are refused, with the error sending_paused.',
      waits:
        'Messages that are queued, deferred, scheduled or held for approval wait. They are sent after the pause, unless they have expired.',
      receives: 'Incoming mail still arrives.',
      who: 'Every member can pause. Only owners can resume.',
    },
    reason: 'Reason (optional)',
    reasonHelp: 'Everybody in the workspace sees it, and it is in the audit log.',
    confirm: 'Pause now',
    running:
      'Sending is being paused. If a relay is accepting mail at this moment, this takes up to ten seconds.',
    failed: 'The server has not confirmed the pause. Try again: pausing twice does no harm.',
  },
  done: {
    title: 'Sending is paused',
    nothing: 'The server has confirmed it: nothing is sent from now on, and nothing was being sent.',
    underWay: (count: number) =>
      `The server has confirmed it: nothing more is sent from now on. A relay had already started to accept mail for ${counted(count, 'recipient', 'recipients')} and has not finished, so this mail may still arrive.`,
    next: 'What to look at now:',
    links: {
      threads: 'The mail that was sent',
      requests: 'The requests of each key',
      audit: 'Who changed what',
      keys: 'Revoke or limit a key',
      policy: 'What can be sent after the pause',
    },
    close: 'Close',
  },
  bar: {
    workspace: 'Sending is paused.',
    server: 'The operator has paused all sending on this server.',
    since: 'Since',
    by: (name: string | null) => (name === null ? ', by somebody who left.' : `, by ${name}.`),
    operator: ', by the operator.',
    reason: (reason: string) => `Reason: ${reason}`,
    waiting: (parts: string[]) => `Waiting: ${parts.join(', ')}. Incoming mail still arrives.`,
    nothingWaits: 'Nothing is waiting. Incoming mail still arrives.',
    recipients: (count: number) => `mail to ${counted(count, 'recipient', 'recipients')}`,
    scheduled: (count: number) => counted(count, 'scheduled draft', 'scheduled drafts'),
    held: (count: number) => counted(count, 'message held for approval', 'messages held for approval'),
    underWay: (count: number) =>
      `A relay is still accepting mail for ${counted(count, 'recipient', 'recipients')}, because it started before the pause.`,
    ownersOnly: 'An owner of the workspace can resume sending.',
    operatorOnly: 'Only the operator can resume sending.',
    narrow: (count: number) => `Sending is paused for ${counted(count, 'inbox or key', 'inboxes and keys')}.`,
    show: 'Show',
  },
  resume: {
    button: 'Resume',
    ofPlace: (name: string) => `Resume sending: ${name}`,
    title: (place: Place) => `Resume ${nameSending(place)}?`,
    message: 'Waiting mail is sent now, unless another pause applies. Held messages still wait for approval.',
    confirm: 'Resume sending',
    done: 'Sending has resumed.',
  },
};
