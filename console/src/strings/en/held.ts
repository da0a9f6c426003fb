/** Actions that wait for some seconds, so that people can take them back. */
export const heldText = {
  label: 'Pending actions',
  undo: 'Undo',
  seconds: (seconds: number) => `In ${seconds} s`,
  dismiss: 'Dismiss',
};
