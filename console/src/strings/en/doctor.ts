/** The page of the doctor. */
export const doctorText = {
  title: 'Doctor',
  about: 'What the server finds when it examines itself and its surroundings, and what to do about it.',
  again: 'Check again',
  looked: 'Last check:',
  looking: 'The server checks itself. This can take half a minute.',
  allGood: 'Nothing needs attention.',
  problems: (count: number) => (count === 1 ? '1 problem' : `${count} problems`),
  notes: (count: number) => (count === 1 ? '1 note' : `${count} notes`),
  fine: (count: number) => (count === 1 ? '1 thing is fine' : `${count} things are fine`),
  states: { ok: 'Fine', note: 'Note', problem: 'Problem' },
  remedy: 'What to do',
  elsewhere: {
    title: 'This is for the operator of the server',
    message: 'The doctor looks at the whole server, so only owners of its first workspace see what it finds.',
  },
  empty: {
    title: 'Nothing was examined',
    message: 'This server examines nothing for the console. The command line shows more.',
  },
};
