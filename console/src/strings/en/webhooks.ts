/** The pages of webhooks. */
export const webhooksText = {
  title: 'Webhooks',
  about: 'Signed events are posted to your URLs within moments, and retried if they fail.',
  back: 'Webhooks',
  create: 'Add a webhook',
  columns: { url: 'URL', events: 'Events', inboxes: 'Inboxes', state: 'State', last: 'Last delivery' },
  allInboxes: 'All',
  inboxes: (count: number) => (count === 1 ? '1 inbox' : `${count} inboxes`),
  state: { enabled: 'Enabled', failing: 'Failing', disabled: 'Disabled' },
  noDelivery: 'None yet',
  empty: {
    title: 'No webhooks yet',
    message:
      'Add the URL of your agent. The agent is then told about each email that arrives, and about the outcome of each email that it sends.',
    memberMessage:
      'Owners of the workspace can add the URL of an agent here. The agent is then told about each email that arrives.',
  },
  form: {
    url: 'URL',
    urlHelp:
      'A public https URL. On your own machine, http://localhost also works, as long as the server does not send real mail.',
    events: 'Events',
    inboxes: 'Inboxes',
    inboxesHelp: 'Leave empty for all inboxes, including those that are created later.',
    inboxesPlaceholder: 'All inboxes',
    create: 'Add the webhook',
    save: 'Save',
    noEvents: 'Choose at least one event.',
  },
  newTitle: 'Add a webhook',
  editTitle: 'Change the webhook',
  saved: 'The webhook was changed.',
  secret: {
    title: 'Your signing secret',
    rotatedTitle: 'Your new signing secret',
    label: 'Signing secret',
    environment: 'For the environment of your receiver',
    receiver: 'Receive and verify events',
  },
  detail: {
    failingTitle: 'The last delivery failed',
    failingMessage:
      'It is retried up to 8 times within about 32 hours. The deliveries below show how the receiver responded. A webhook is disabled if every delivery fails for 5 days.',
    created: 'Created',
    disabledTitle: 'This webhook is disabled',
    disabledMessage:
      'No events are posted. A person disabled the webhook, or every delivery failed for 5 days. Events that happen while it is disabled are not posted later; they stay in the event log for 30 days.',
  },
  actions: {
    test: 'Send a test',
    testResult: {
      succeeded: (status: number | null) => `Your receiver accepted the test with status ${status ?? '—'}.`,
      failed: (reason: string) => `The test failed: ${reason}`,
    },
    edit: 'Change',
    enable: 'Enable',
    enabled: 'Events are posted again.',
    disable: {
      button: 'Disable',
      title: 'Disable this webhook?',
      message:
        'No more events are posted to it, and deliveries waiting for another attempt are cancelled. You can enable it again at any time.',
      confirm: 'Disable the webhook',
      done: 'The webhook was disabled.',
    },
    rotate: {
      button: 'Rotate the secret',
      title: 'Rotate the signing secret?',
      message:
        'You get a new secret. For 24 hours, the webhook-signature header has a signature with each of the two secrets, so that your receiver can switch without refusing anything. The x-postrider-signature header uses the new secret at once.',
      confirm: 'Rotate the secret',
    },
    delete: {
      button: 'Delete',
      title: 'Delete this webhook?',
      message: 'Nothing more is posted to its URL, and its deliveries are deleted. This cannot be undone.',
      confirm: 'Delete the webhook',
      done: 'The webhook was deleted.',
    },
  },
  deliveries: {
    title: 'Deliveries',
    about: 'The events for this URL, newest first. Deliveries are kept for 30 days.',
    columns: {
      state: 'State',
      event: 'Event',
      attempts: 'Attempts',
      next: 'Next attempt',
      created: 'Created',
      actions: 'Actions',
    },
    state: { pending: 'Pending', succeeded: 'Delivered', failed: 'Failed' },
    sending: 'Sending',
    open: (event: string) => `Show the delivery of ${event}`,
    redeliver: 'Redeliver',
    redelivery: {
      succeeded: () => 'The event was delivered again.',
      failed: (reason: string) => `The event was not delivered: ${reason}`,
    },
    empty: {
      title: 'No deliveries yet',
      message:
        'Send a test, or send an email to one of the inboxes. Each delivery appears here automatically.',
    },
  },
  delivery: {
    attempts: 'Attempts',
    none: 'No attempts yet.',
    duration: (ms: number) => `${ms.toLocaleString()} ms`,
    status: (code: number) => `Status ${code}`,
    noStatus: 'No response',
    eventId: 'Event',
    deliveryId: 'Delivery',
    payload: 'Payload',
    payloadAbout: 'A redelivery would post this now, with the message in its current state.',
    payloadGone: 'The event is no longer kept, so its payload cannot be shown.',
    headers: 'Headers',
    headersAbout: 'The first three follow Standard Webhooks. The SDK verifies them for you.',
    headerMeanings: {
      id: 'The id of the event. It is the same on every attempt, so store it to detect repeats.',
      timestamp: 'When the attempt was signed, in seconds. Refuse old ones (the SDK allows 5 minutes).',
      signature:
        'v1 and the HMAC-SHA-256 of the id, time and body in base64. After a rotation there are two.',
      own: 'sha256= and the HMAC-SHA-256 of the body alone in hexadecimal.',
      event: 'The type of the event.',
    },
  },
};
