const titles: Record<number, string> = {
  400: 'The request is not valid',
  401: 'You are signed out',
  402: 'The plan does not cover this',
  403: 'You are not allowed to do this',
  404: 'Not found',
  409: 'This conflicts with something that already exists',
  410: 'This is no longer available',
  413: 'This is too large',
  422: 'This cannot be done',
  429: 'Too many requests',
};

const codeTitles: Record<string, string> = {
  wrong_sign_in: 'Sign-in failed',
  wrong_password: 'The password is wrong',
  link_expired: 'The link no longer works',
  last_owner: 'A workspace needs an owner',
  owner_only: 'Only owners can do this',
  already_member: 'This person is already in the workspace',
};

/** The advice for people, where the API's own text is meant for programs. */
const codeMessages: Record<string, string> = {
  invalid_request: 'Correct the problems listed here, then try again.',
  not_found: 'It may have been deleted, or it belongs to another workspace. Go back and reload the list.',
  address_taken:
    'This address belongs to an inbox or a person, belonged to an inbox until recently, or is reserved. Choose another one.',
  cursor_expired: 'The log no longer goes back this far. Reload the page.',
  auto_reply_loop: 'The message was sent automatically, and a reply could start a loop.',
  sending_not_allowed:
    'A policy does not allow this. If an agent wrote the text, it can be sent only after a person has rewritten it.',
  internal_error: 'Try again later. If it happens again, give the request id to the operator of this server.',
  unavailable: 'The server is busy or restarting. Try again in a moment.',
};

/** The texts about failures. */
export const problemText = {
  titleOf: (status: number, code: string) =>
    codeTitles[code] ??
    titles[status] ??
    (status >= 500 ? 'The server could not do this' : 'The request failed'),
  messageOf: (code: string, message: string) => codeMessages[code] ?? message.replaceAll('`', ''),
  unexpected: (status: number) => `The server responded with status ${status} and no explanation.`,
  connection: {
    title: 'The server cannot be reached',
    message: 'Check your connection, and whether the server is running. Then try again.',
  },
  notLoaded: {
    title: 'This page could not be loaded',
    message:
      'Check your connection, then reload the page. The server may also have been updated since you opened the console.',
  },
  unfinished: {
    title: 'You are still signed in',
    message:
      'Something that you started has failed, so you are still signed in. See the notice in the corner of the page, or sign out again to abandon it.',
  },
  unknown: {
    title: 'Something went wrong on this page',
    message: 'Reload the page. If it happens again, tell the operator of this server what you did.',
  },
  request: 'Request',
  copyRequest: 'Copy the request id',
  retry: 'Try again',
  reload: 'Reload the page',
  notFound: {
    title: 'Page not found',
    message: 'The address may be mistyped, or the page may have been deleted.',
    back: 'Go to the home page',
  },
  noWorkspace: {
    title: 'You are not in any workspace',
    message: 'Ask an owner of a workspace for an invitation. Then sign in again.',
  },
  unknownWorkspace: {
    title: 'You are not in this workspace',
    message:
      'The address names a workspace that does not exist, or that you do not belong to. Ask an owner of it for an invitation.',
    back: 'Go to your own workspace',
  },
  ownerOnly: {
    title: 'Only owners can see this page',
    message: 'Ask an owner of the workspace to show you this, or to make you an owner.',
  },
};
