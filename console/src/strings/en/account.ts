/** The page of a person's account. */
export const accountText = {
  title: 'Your account',
  about: 'Your account is the same in every workspace of this server.',
  save: 'Save',
  currentPassword: 'Current password',
  passwordWhy: 'Enter your password, so that nobody else can change this if you leave your browser open.',
  profile: {
    title: 'Profile',
    name: 'Name',
    email: 'Email address',
    emailHelp:
      'You sign in with this address. It cannot be changed here: ask an owner to invite your new address.',
    done: 'Your name was saved.',
  },
  password: {
    title: 'Password',
    about: 'A new password signs out all other devices.',
    none: 'Your account has no password. To set one, sign out and request a link on the sign-in page.',
    submit: 'Change the password',
    done: 'The password was changed, and all other devices were signed out.',
  },
  approvalMail: {
    title: 'Approval emails',
    about:
      'When messages from agents wait for approval, you get an email with a link to each of them: at most one email every five minutes per workspace.',
    label: (workspace: string) => `Email me about “${workspace}”`,
  },
  secondFactor: {
    title: 'Second factor',
    about: 'Signing in also requires a code from an app on your phone, so a stolen password is not enough.',
    on: 'On',
    off: 'Off',
    setUp: 'Set up',
    codesLeft: (count: number) =>
      count === 1 ? '1 recovery code is left.' : `${count} recovery codes are left.`,
    fewCodes: 'Set the second factor up again to get new recovery codes.',
    renew: 'Set up again',
    remove: {
      button: 'Remove',
      title: 'Remove the second factor?',
      message: 'After that, your password alone is enough to sign in. The recovery codes stop working.',
      confirm: 'Remove the second factor',
      done: 'The second factor was removed.',
    },
    dialog: 'Set up the second factor',
    scan: 'Scan this with an authenticator app, such as Aegis, 2FAS, 1Password or Google Authenticator.',
    qr: 'QR code with the secret for an authenticator app',
    secret: 'Or enter this secret manually',
    code: 'Code from the app',
    codeWrong: 'The code is wrong. Check that the clock of your phone is correct, and enter the next code.',
    next: 'Continue',
    confirm: 'Turn on',
    codesTitle: 'Your recovery codes',
    codesHelp:
      'If you lose your phone, each of these codes signs you in once. Keep them where you keep your passwords. They are shown only now.',
    codes: 'Recovery codes',
    download: 'Download',
    fileName: 'recovery-codes.txt',
    fileHead: (email: string) => `Recovery codes for ${email}. Each works once.`,
    done: 'I have saved the codes',
  },
  sessions: {
    title: 'Devices',
    about:
      'The devices on which you are signed in. A session ends after seven days without use, or after thirty days at the latest.',
    current: 'This device',
    unknownBrowser: 'Unknown browser',
    unknownSystem: 'unknown system',
    program: (name: string) => `Program ${name}`,
    on: (browser: string, system: string) => `${browser} on ${system}`,
    noAddress: 'Unknown address',
    seen: 'Last seen',
    since: 'Signed in',
    end: (device: string) => ({
      button: 'Sign out',
      label: `Sign out ${device}`,
      title: `Sign out ${device}?`,
      message: 'It loses access immediately.',
      confirm: 'Sign out',
      done: `${device} was signed out.`,
    }),
    endOthers: {
      button: 'Sign out all other devices',
      title: 'Sign out all other devices?',
      message: 'Only this browser stays signed in.',
      confirm: 'Sign out all other devices',
      done: 'All other devices were signed out.',
    },
  },
};

/** Passkeys: on the page of the account, and on the sign-in. */
export const passkeysText = {
  title: 'Passkeys',
  about: 'Sign in with your fingerprint, face, PIN or security key, without a password or a code.',
  signIn: 'Sign in with a passkey',
  or: 'or',
  add: 'Add a passkey',
  addTitle: 'Add a passkey',
  addHelp: 'Next, your browser asks for your fingerprint, face, PIN or security key.',
  name: 'Name',
  nameHelp: 'A name to recognise it by, such as the device or the password manager that stores it.',
  namePlaceholder: 'My laptop',
  submit: 'Continue',
  added: (name: string) => `You can now sign in with “${name}”.`,
  created: 'Added',
  used: 'Last used',
  never: 'Never used',
  none: 'You have no passkeys yet.',
  remove: (name: string) => ({
    button: 'Remove',
    label: `Remove the passkey ${name}`,
    title: `Remove “${name}”?`,
    message:
      'You can no longer sign in with it, and all other devices are signed out. Remove it from your device, too.',
    confirm: 'Remove the passkey',
    done: `“${name}” was removed.`,
  }),
  unsupported: {
    browser: 'This browser does not support passkeys, or the page was not opened over HTTPS.',
    address:
      'Passkeys need a host name in the address of this page. Open it with the name of the server instead of its IP address.',
  },
  faults: {
    cancelled: 'No passkey was chosen, or it took too long. Try again.',
    known: 'This device or password manager already has a passkey for your account.',
    failed: 'The browser could not use the passkey. Try another one, or your password.',
  },
};

/** The field for a new password. */
export const passwordText = {
  newPassword: 'New password',
  faults: { short: (min: number) => `At least ${min} characters`, email: 'Not your email address' },
  advice: 'A few random words are easy to remember and hard to guess.',
  met: 'Met',
  notMet: 'Not met yet',
  strength: 'Strength',
  strengths: ['Too weak', 'Acceptable', 'Good', 'Strong'],
};
