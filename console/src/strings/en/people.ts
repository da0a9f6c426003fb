import type { Role } from '@postrider/contract/console';

const roles: Record<Role, string> = { owner: 'Owner', member: 'Member' };

/** The page of members and invitations. */
export const peopleText = {
  title: 'People',
  about: 'Who can open this workspace in the console.',
  roles,
  roleHelp: {
    owner: 'Everything, with people, API keys, webhooks, domains and the audit log.',
    member: 'Reads and sends mail, and sees the settings.',
  } satisfies Record<Role, string>,
  ownersManage: 'Owners of the workspace invite people and change roles.',
  you: 'You',
  columns: {
    name: 'Name',
    role: 'Role',
    secondFactor: 'Second factor',
    joined: 'Joined',
    seen: 'Last seen',
    actions: 'Actions',
  },
  on: 'On',
  off: 'Off',
  never: 'Never',
  actions: (name: string) => `Actions for ${name}`,
  lastOwner: 'A workspace keeps at least one owner. Make somebody else an owner first.',
  empty: { title: 'Nobody is here', message: 'Invite people to share the mail of this workspace.' },
  change: {
    button: (role: Role) => (role === 'owner' ? 'Make an owner' : 'Make a member'),
    title: (name: string, role: Role) => `Make ${name} ${role === 'owner' ? 'an owner' : 'a member'}?`,
    ofOther: (name: string, role: Role) =>
      role === 'owner'
        ? `${name} will be able to do everything that you can, and has to sign in again.`
        : `${name} will no longer manage people, API keys, webhooks and domains, and has to sign in again.`,
    ofSelf:
      'You will no longer manage people, API keys, webhooks and domains. Only another owner can undo this.',
    confirm: 'Change the role',
    done: (name: string, role: Role) => `${name} is ${role === 'owner' ? 'an owner' : 'a member'} now.`,
  },
  remove: {
    button: 'Remove from the workspace',
    title: (name: string) => `Remove ${name}?`,
    message: (name: string) =>
      `${name} loses access at once, on every device. API keys that ${name} created keep working until you revoke them.`,
    confirm: 'Remove',
    done: (name: string) => `${name} is no longer in the workspace.`,
  },
  leave: {
    button: 'Leave the workspace',
    title: 'Leave this workspace?',
    message: 'You lose access at once and are signed out. Only an owner can invite you again.',
    confirm: 'Leave',
  },
  invite: {
    button: 'Invite',
    title: 'Invite a person',
    email: 'Email address',
    role: 'Role',
    submit: 'Create the invitation',
    doneTitle: 'The invitation is ready',
    mailed: (email: string) => `It is on its way to ${email}. You can also pass on the link yourself.`,
    notMailed: (email: string) =>
      `This server did not send it by mail. Pass the link on to ${email} yourself, in a way that only they can read.`,
    once: 'The link is shown only now, works once, and ends in seven days.',
    link: 'Link of the invitation',
    done: 'Done',
  },
  invitations: {
    title: 'Open invitations',
    about: 'A second invitation of the same address replaces the first one.',
    columns: { email: 'Email', role: 'Role', by: 'Invited by', expires: 'Ends', actions: 'Actions' },
    server: 'The operator',
    empty: { title: 'No open invitations', message: 'Invitations wait here until they are accepted or end.' },
    revoke: {
      label: (email: string) => `Revoke the invitation of ${email}`,
      button: 'Revoke',
      title: (email: string) => `Revoke the invitation of ${email}?`,
      message: 'Its link stops working at once.',
      confirm: 'Revoke the invitation',
      done: (email: string) => `The invitation of ${email} is revoked.`,
    },
  },
};
