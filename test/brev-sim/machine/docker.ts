import { main } from './docker/cli.ts';

// A reader that goes away (`docker logs | head`) ends the call quietly.
process.stdout.on('error', () => process.exit(1));
void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
