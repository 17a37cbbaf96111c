// Everything but this line is loaded after the compile cache is on: a docker call is short, and its start is its cost.
import './compile-cache.ts';

const { main } = await import('./docker/cli.ts');
// A reader that goes away (`docker logs | head`) ends the call quietly.
process.stdout.on('error', () => process.exit(1));
process.exitCode = await main(process.argv.slice(2));
