import './compile-cache.ts';

const { nvidiaSmi } = await import('./nvidia-smi/smi.ts');
process.exitCode = await nvidiaSmi(process.argv.slice(2));
