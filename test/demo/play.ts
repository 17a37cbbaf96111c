import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Demo, Step } from './demo.ts';

/** Plays a scenario's steps with a picture of each in `pictures`; returns how many steps didn't happen. */
export async function play(steps: readonly Step[], demo: Demo, pictures: string): Promise<number> {
  await mkdir(pictures, { recursive: true });
  await removeOld(pictures);
  for (const [index, step] of steps.entries()) {
    const name = `${String(index + 1).padStart(2, '0')}-${step.name}`;
    const picture = async (suffix: string) =>
      await demo.page.screenshot({
        path: path.join(pictures, `${name}${suffix}.png`),
        animations: 'disabled',
        timeout: 15_000,
      });
    const begun = performance.now();
    try {
      const seen = await step(demo);
      await picture('');
      const seconds = ((performance.now() - begun) / 1000).toFixed(1);
      demo.say(`✓ ${name} (${seconds} s)\n${seen.replaceAll(/^/gm, '    ')}`);
    } catch (error) {
      demo.say(`✗ ${name}: ${error instanceof Error ? error.message : String(error)}`);
      await picture('-failed').catch((reason: unknown) => demo.say(`No picture of it: ${String(reason)}`));
      // What comes next builds on it.
      return steps.length - index;
    }
  }
  return 0;
}

// An earlier run's pictures would look like this one's.
async function removeOld(pictures: string): Promise<void> {
  for (const name of await readdir(pictures)) {
    if (/^\d\d-\w+(-failed)?\.png$/.test(name)) await rm(path.join(pictures, name));
  }
}
