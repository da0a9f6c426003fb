/** The field for a new password. */
export const passwordText = {
  newPassword: 'New password',
  password: 'Password',
  faults: {
    short: (min: number) => `At least ${min} characters`,
    email: 'Not your email address',
  },
  advice: 'A few random words are easy to remember and hard to guess.',
  met: 'Met',
  notMet: 'Not met yet',
  strength: 'Strength',
  strengths: ['Not enough yet', 'Acceptable', 'Good', 'Strong'],
};
