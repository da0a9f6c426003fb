import type { Role } from '@postrider/contract/console';

const roles: Record<Role, string> = { owner: 'Owner', member: 'Member' };

/** The page of members and invitations. */
export const peopleText = {
  title: 'People',
  about: 'The people who can open this workspace in the console.',
  roles,
  roleHelp: {
    owner: 'Full access, including people, API keys, webhooks, domains and the audit log.',
    member: 'Can read and send mail, and view the settings.',
  } satisfies Record<Role, string>,
  ownersManage: 'Only owners of the workspace can invite people and change roles.',
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
  lastOwner: 'A workspace needs at least one owner. Make somebody else an owner first.',
  empty: { title: 'No people yet', message: 'Invite people to share the mail of this workspace.' },
  change: {
    button: (role: Role) => (role === 'owner' ? 'Make an owner' : 'Make a member'),
    title: (name: string, role: Role) => `Make ${name} ${role === 'owner' ? 'an owner' : 'a member'}?`,
    ofOther: (name: string, role: Role) =>
      role === 'owner'
        ? `${name} will be able to do everything that you can do, and must sign in again.`
        : `${name} will no longer be able to manage people, API keys, webhooks and domains, and must sign in again.`,
    ofSelf:
      'You will no longer be able to manage people, API keys, webhooks and domains. Only another owner can undo this.',
    confirm: 'Change the role',
    done: (name: string, role: Role) => `${name} is now ${role === 'owner' ? 'an owner' : 'a member'}.`,
  },
  remove: (name: string) => ({
    button: 'Remove from the workspace',
    title: `Remove ${name}?`,
    message: `${name} loses access immediately, on every device. API keys that ${name} created keep working until you revoke them.`,
    confirm: 'Remove',
    done: `${name} was removed from the workspace.`,
  }),
  leave: {
    button: 'Leave the workspace',
    title: 'Leave this workspace?',
    message: 'You lose access immediately and are signed out. Only an owner can invite you again.',
    confirm: 'Leave',
  },
  invite: {
    button: 'Invite',
    title: 'Invite a person',
    email: 'Email address',
    role: 'Role',
    submit: 'Create the invitation',
    doneTitle: 'The invitation is ready',
    mailed: (email: string) => `It is on its way to ${email}. You can also share the link yourself.`,
    notMailed: (email: string) =>
      `This server did not send it by email. Give the link to ${email} yourself, over a private channel.`,
    once: 'The link is shown only now. It works once and expires in seven days.',
    link: 'Invitation link',
  },
  invitations: {
    title: 'Open invitations',
    about: 'Inviting the same address again replaces the earlier invitation.',
    columns: { email: 'Email', role: 'Role', by: 'Invited by', expires: 'Expires', actions: 'Actions' },
    server: 'The operator',
    empty: {
      title: 'No open invitations',
      message: 'Invitations stay here until they are accepted or expire.',
    },
    revoke: (email: string) => ({
      label: `Revoke the invitation for ${email}`,
      button: 'Revoke',
      title: `Revoke the invitation for ${email}?`,
      message: 'Its link stops working immediately.',
      confirm: 'Revoke the invitation',
      done: `The invitation for ${email} was revoked.`,
    }),
  },
};
