/** Passkeys: on the page of the account, and on the sign-in. */
export const passkeysText = {
  title: 'Passkeys',
  about: 'Sign in by your fingerprint, face, PIN or security key, without a password and without a code.',
  signIn: 'Sign in with a passkey',
  or: 'or',
  add: 'Add a passkey',
  addTitle: 'Add a passkey',
  addHelp: 'Your browser asks you for a fingerprint, face, PIN or security key next.',
  name: 'Name',
  nameHelp: 'To recognise it by, such as the device or the password manager that keeps it.',
  namePlaceholder: 'My laptop',
  submit: 'Continue',
  added: (name: string) => `“${name}” can sign you in now.`,
  created: 'Added',
  used: 'Last used',
  never: 'Never used',
  none: 'You have no passkey yet.',
  remove: 'Remove',
  removeLabel: (name: string) => `Remove the passkey ${name}`,
  removeTitle: (name: string) => `Remove “${name}”?`,
  removeMessage:
    'It no longer signs you in, and all other devices are signed out. Remove it from your device, too.',
  removeConfirm: 'Remove the passkey',
  removed: (name: string) => `“${name}” is removed.`,
  unsupported: {
    browser: 'This browser does not support passkeys, or the page was not opened over HTTPS.',
    address:
      'Passkeys need a name in the address of this page. Open it by the name of the server instead of its IP address.',
  },
  faults: {
    cancelled: 'Nothing was chosen, or it took too long. Try again.',
    known: 'This device or password manager has a passkey for your account already.',
    failed: 'The browser could not use the passkey. Try another one, or your password.',
  },
};
