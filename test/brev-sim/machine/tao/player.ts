// Plays one TAO command inside a simulated container.
import { play } from './entrypoint.ts';

void play(process.argv.slice(2), process.env).then((code) => {
  process.exitCode = code;
});
