import { eventually } from '@postrider/testkit/lib/eventually.ts';
import type { Trial } from '../trial.ts';
import { openScene } from './scene.ts';
import { startSendLoad } from './send-load.ts';

const hangs = 3;
const rounds = 3;

/**
 * Pauses the server while the relay says nothing after the final dot of some mails. The pause has to be acknowledged, to say how many
 * mails are under way, and to be in force from its beginning.
 */
export async function seeHanging(trial: Trial): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    // The relay is not waited for in vain.
    const scene = await openScene(trial, { POSTRIDER_TIME_SCALE: '1' });
    const { sink, home } = scene;
    try {
      sink.script({ at: 'dot', hang: true, times: hangs });
      const load = startSendLoad(scene);
      const hanging = () => sink.messages.filter(({ answer }) => answer === null).length;
      await eventually('mails that hang', async () => hanging() === hangs);
      const askedAtMs = performance.now();
      const answering = home.operate('pause', { server: true }) as Promise<{ under_way: number }>;
      const { under_way } = await answering;
      const fromMs = performance.now();
      trial.figure('hanging relay: acknowledged after ms, longest', Math.round(fromMs - askedAtMs));
      trial.invariant(
        'hanging relay: pauses that do not say what is under way',
        Math.abs(under_way - hangs),
        {
          exactly: 0,
        },
      );
      await load.stop();
      const begun = sink.contents.filter(({ begunAtMs }) => begunAtMs > fromMs);
      trial.invariant('hanging relay: mails that began to leave', begun.length, { exactly: 0 });
      trial.invariant(
        'hanging relay: seconds until the pause was acknowledged',
        (fromMs - askedAtMs) / 1_000,
        {
          most: 15,
        },
      );
      trial.progress(`hanging relay, round ${round}: ${under_way} under way`);
    } finally {
      await scene.close();
    }
  }
}
