/** The page that people sign in on. */
export const signInText = {
  title: 'Sign in',
  lead: 'Read the mail of your agents, and manage API keys, webhooks and domains.',
  email: 'Email address',
  password: 'Password',
  submit: 'Sign in',
  forgot: 'Forgot your password?',
  code: 'Code',
  codeHelp: 'Enter the code from your authenticator app, or one of your recovery codes.',
  codeWrong: 'The code is wrong. Wait for the next one, or use a recovery code.',
  codeTitle: 'One more step',
  verify: 'Continue',
  back: 'Use another account',
};
