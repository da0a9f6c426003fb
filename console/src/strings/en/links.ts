import type { Role } from '@postrider/contract/console';

const roles: Record<Role, string> = { owner: 'an owner', member: 'a member' };

/** The pages that links lead to: an invitation, and a new password. */
export const linksText = {
  signIn: 'Go to the sign-in',
  email: 'Email address',
  broken: {
    title: 'This link is not complete',
    message: 'Open the whole link again. After a page was reloaded, only the link itself leads back to it.',
  },
  invitation: {
    title: (workspace: string) => `Join ${workspace}`,
    loading: 'Invitation',
    lead: (role: Role, email: string) => `You are invited as ${roles[role]}, with the address ${email}.`,
    expired: 'Ask the person who invited you for a new link.',
    signedInAs: (email: string) =>
      `You are signed in as ${email}. Accepting ends that session in this browser.`,
    hasAccount: 'This address has an account. Enter its password to join.',
    name: 'Your name',
    password: 'Password',
    newPassword: 'Choose a password',
    code: 'Code',
    codeHelp:
      'The account has a second factor. Enter the code of your authenticator app, or a recovery code.',
    codeWrong: 'The code is not right. Wait for the next one, or use a recovery code.',
    accept: 'Accept the invitation',
  },
  newPassword: {
    title: 'Choose a new password',
    lead: 'All devices are signed out, and you sign in with the new password.',
    submit: 'Set the password',
    doneTitle: 'The password is changed',
    done: 'Sign in with it now.',
    again: 'Ask for another link',
  },
  forgot: {
    title: 'Forgot your password?',
    lead: 'Enter the email address that you sign in with.',
    submit: 'Ask for a link',
    mailedTitle: 'Check your mail',
    mailed: (email: string) =>
      `If ${email} has an account, a link is on its way. It works once, for one hour. Check the spam folder, too.`,
    notMailedTitle: 'Ask the operator of this server',
    notMailed:
      'This server sends no mail, so it cannot send you a link. Whoever runs it can make one with this command:',
    command: 'Command for the operator',
  },
};
