// Plays one TAO command inside a simulated container.
import '../compile-cache.ts';

const { play } = await import('./entrypoint.ts');
process.exitCode = await play(process.argv.slice(2), process.env);
