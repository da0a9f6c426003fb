/** The first steps of a new workspace. */
export const firstStepsText = {
  title: 'First steps',
  about:
    'From an empty workspace to an agent with email. Each step is checked off automatically when it is done.',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  hide: 'Hide the first steps',
  done: 'Done',
  open: 'Not done yet',
  steps: {
    key: {
      title: 'Create an API key',
      message: 'Your agent uses it to call the API.',
      action: 'Create a key',
    },
    inbox: {
      title: 'Create an inbox',
      message: 'An address that can send and receive immediately. With the key in the environment:',
    },
    received: {
      title: 'Receive an email',
      message: (address: string) => `Any mail program can send to ${address}. On this machine, for example:`,
      closed: (address: string) => `Send an email to ${address} from any mail program.`,
    },
    sent: {
      title: 'Send an email',
      message: 'Simulator addresses do what their names say, and nothing leaves the server:',
    },
    webhook: {
      title: 'Add a webhook',
      message:
        'The server posts each event to your program as it happens, so the program does not have to poll.',
      action: 'Add a webhook',
    },
  },
  command: 'Command',
  somebody: 'your inbox',
};
