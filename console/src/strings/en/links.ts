import type { Role } from '@postrider/contract/console';

const roles: Record<Role, string> = { owner: 'an owner', member: 'a member' };

/** The pages that links lead to: an invitation, and a new password. */
export const linksText = {
  signIn: 'Go to sign-in',
  email: 'Email address',
  broken: {
    title: 'This link is incomplete',
    message: 'Open the complete link again. Reloading the page is not enough.',
  },
  invitation: {
    title: (workspace: string) => `Join ${workspace}`,
    loading: 'Invitation',
    lead: (role: Role, email: string) =>
      `You have been invited to join as ${roles[role]}, with the address ${email}.`,
    expired: 'Ask the person who invited you for a new link.',
    signedInAs: (email: string) =>
      `You are signed in as ${email}. Accepting the invitation ends that session in this browser.`,
    hasAccount: 'This address already has an account. Enter its password to join.',
    name: 'Your name',
    password: 'Password',
    newPassword: 'Choose a password',
    code: 'Code',
    codeHelp:
      'The account has a second factor. Enter the code from your authenticator app, or a recovery code.',
    codeWrong: 'The code is wrong. Wait for the next one, or use a recovery code.',
    accept: 'Accept the invitation',
  },
  newPassword: {
    title: 'Choose a new password',
    lead: 'This signs you out on all devices. Sign in again with the new password.',
    submit: 'Set the password',
    doneTitle: 'The password was changed',
    done: 'You can now sign in with it.',
    again: 'Request another link',
  },
  forgot: {
    title: 'Forgot your password?',
    lead: 'Enter the email address that you sign in with.',
    submit: 'Request a link',
    mailedTitle: 'Check your email',
    mailed: (email: string) =>
      `If ${email} has an account, a link is on its way. It works once, within one hour. Check your spam folder, too.`,
    notMailedTitle: 'Ask the operator of this server',
    notMailed:
      'This server does not send mail, so it cannot send you a link. The operator can create one with this command:',
    command: 'Command for the operator',
  },
};
