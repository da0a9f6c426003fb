const titles: Record<number, string> = {
  400: 'Something in the request is not right',
  401: 'You are signed out',
  402: 'The plan does not cover this',
  403: 'You may not do this',
  404: 'This does not exist',
  409: 'This conflicts with what is there',
  410: 'This is no longer available',
  413: 'This is too large',
  422: 'This cannot be done',
  429: 'Too many requests',
};

const codeTitles: Record<string, string> = {
  wrong_sign_in: 'You could not be signed in',
  wrong_password: 'The password is not right',
  link_expired: 'The link no longer works',
  last_owner: 'A workspace needs an owner',
  owner_only: 'Only owners may do this',
  already_member: 'This person is in the workspace already',
};

/** The advice for people, where the words of the API are meant for programs. */
const codeMessages: Record<string, string> = {
  invalid_request: 'Correct what is named here, and try again.',
  not_found: 'It may have been deleted, or it belongs to another workspace. Go back and reload the list.',
  address_taken:
    'An inbox or a person has this address, or an inbox had it lately, or it is reserved. Choose another one.',
  cursor_expired: 'The log no longer goes back this far. Reload the page.',
  auto_reply_loop: 'A machine sent the message, and an answer could start a loop.',
  sending_not_allowed:
    'A policy does not allow it. If an agent wrote this, it is sent only after a person has rewritten the text.',
  internal_error:
    'Try again later. If it happens again, tell the people who run this server, with the id of the request.',
  unavailable: 'The server is busy or restarting. Try again in a moment.',
};

/** The texts about failures. */
export const problemText = {
  titleOf: (status: number, code: string) =>
    codeTitles[code] ??
    titles[status] ??
    (status >= 500 ? 'The server could not do this' : 'The request failed'),
  messageOf: (code: string, message: string) => codeMessages[code] ?? message.replaceAll('`', ''),
  unexpected: (status: number) => `The server responded with status ${status}, and without an explanation.`,
  connection: {
    title: 'The server cannot be reached',
    message: 'Check your connection, and whether the server is running. Then try again.',
  },
  notLoaded: {
    title: 'This page could not be loaded',
    message:
      'Check your connection. The server may also have been updated since you opened the console. Then reload the page.',
  },
  unfinished: {
    title: 'You are still signed in',
    message:
      'Something that you began has failed, so you are still signed in. See the corner of the page, or sign out again to leave it.',
  },
  unknown: {
    title: 'Something went wrong on this page',
    message: 'Reload the page. If it happens again, tell the people who run this server what you did.',
  },
  request: 'Request',
  copyRequest: 'Copy the request id',
  retry: 'Try again',
  reload: 'Reload the page',
  notFound: {
    title: 'There is no such page',
    message: 'The address may have a typing error, or what it showed was deleted.',
    back: 'Go to the first page',
  },
  noWorkspace: {
    title: 'You are in no workspace',
    message: 'Ask an owner of a workspace for an invitation. Then sign in again.',
  },
  unknownWorkspace: {
    title: 'You are not in this workspace',
    message:
      'The address names a workspace that does not exist, or that you do not belong to. Ask an owner of it for an invitation.',
    back: 'Go to your own workspace',
  },
  ownerOnly: {
    title: 'Only owners see this page',
    message: 'Ask an owner of the workspace to show you this, or to make you an owner.',
  },
};
