import { nvidiaSmi } from './nvidia-smi/smi.ts';

void nvidiaSmi(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
