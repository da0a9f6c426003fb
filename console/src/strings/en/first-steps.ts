/** The first steps of a new workspace. */
export const firstStepsText = {
  title: 'First steps',
  about: 'From an empty workspace to an agent with mail. Each step is ticked automatically when it is done.',
  progress: (done: number, all: number) => `${done} of ${all} done`,
  hide: 'Hide the first steps',
  done: 'Done',
  open: 'Not done yet',
  steps: {
    key: {
      title: 'Create an API key',
      message: 'Your agent calls the API with it.',
      action: 'Create a key',
    },
    inbox: {
      title: 'Create an inbox',
      message: 'An address that sends and receives at once. With the key in the environment:',
    },
    received: {
      title: 'Receive a mail',
      message: (address: string) => `Any mail program can write to ${address}. On this machine, for example:`,
      closed: (address: string) => `Send a mail to ${address} from any mail program.`,
    },
    sent: {
      title: 'Send a mail',
      message: 'Addresses of the simulator answer as their names say, and nothing leaves the server:',
    },
    webhook: {
      title: 'Add a webhook',
      message: 'The server posts each event to your program as it happens, so nothing has to ask.',
      action: 'Add a webhook',
    },
  },
  command: 'Command',
  somebody: 'your inbox',
};
