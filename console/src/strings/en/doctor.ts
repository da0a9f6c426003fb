/** The page of the doctor. */
export const doctorText = {
  title: 'Doctor',
  about: 'The server checks itself and its environment. Each problem comes with its remedy.',
  again: 'Check again',
  looked: 'Last check:',
  looking: 'The server is checking itself. This can take half a minute.',
  allGood: 'Nothing needs attention.',
  problems: (count: number) => (count === 1 ? '1 problem' : `${count} problems`),
  notes: (count: number) => (count === 1 ? '1 note' : `${count} notes`),
  fine: (count: number) => (count === 1 ? '1 thing is fine' : `${count} things are fine`),
  states: { ok: 'Fine', note: 'Note', problem: 'Problem' },
  remedy: 'What to do',
  elsewhere: {
    title: 'This page is for the operator of the server',
    message: 'The doctor checks the whole server, so only the owners who run it can see the results.',
  },
  empty: {
    title: 'Nothing was checked',
    message: 'This server runs no checks for the console. The command line shows more.',
  },
};
