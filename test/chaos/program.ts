import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Random } from './random.ts';
import type { PlannedJob } from './schedule.ts';

/** What the container or the command runs. Its output is known, and it notes each of its runs. */
const PROGRAM = `#!/bin/bash
folder=\${0%/*}/$1
[ ! -e "$folder/obeys" ] || trap 'printf "stopped\\n" >>"$folder/runs"; exit 143' TERM
printf 'start\\n' >>"$folder/runs"
printf '%s|%s' "$HF_TOKEN" "$AWS_SECRET_ACCESS_KEY" | sha256sum | cut -d ' ' -f 1 >"$folder/secrets"
exec 7<> <(:)
pause=$(<"$folder/pause")
for piece in "$folder"/pieces/*; do
  case $piece in
    *.err) cat "$piece" >&2 ;;
    *) cat "$piece" ;;
  esac
  read -rt "$pause" -u 7
done
code=$(<"$folder/code")
printf 'end %s\\n' "$code" >>"$folder/runs"
exit "$code"
`;

/** How a job's program is called in its container, where the home's data folder is mounted. */
export const PROGRAM_PATH = '/data/program';

/** The data folder of one job on the machine: what its program does, and what it noted. */
export class ProgramFolder {
  readonly #folder: string;
  readonly #job: PlannedJob;

  constructor(home: string, job: PlannedJob) {
    this.#folder = path.join(home, 'data', job.key);
    this.#job = job;
  }

  /** Every byte that the program prints. */
  get output(): Buffer {
    return Buffer.concat(pieces(this.#job));
  }

  install(): void {
    mkdirSync(path.join(this.#folder, 'pieces'), { recursive: true });
    const program = path.join(this.#folder, '..', 'program');
    if (!existsSync(program)) {
      writeFileSync(program, PROGRAM);
      chmodSync(program, 0o755);
    }
    for (const [index, bytes] of pieces(this.#job).entries()) {
      const kind = index % 3 === 2 ? 'err' : 'out';
      writeFileSync(path.join(this.#folder, 'pieces', `${100 + index}.${kind}`), bytes);
    }
    writeFileSync(path.join(this.#folder, 'code'), `${this.#job.exitCode}\n`);
    writeFileSync(path.join(this.#folder, 'pause'), `${this.#job.pauseMs / 1_000}\n`);
    if (this.#job.obeysTerm) writeFileSync(path.join(this.#folder, 'obeys'), '');
  }

  /** What the program noted of its runs, a line each: `start`, `stopped`, `end CODE`. */
  get runs(): readonly string[] {
    return this.#read('runs').split('\n').filter(Boolean);
  }

  /** Whether the program was without exactly these two secrets; where it was ended before it could note that, it wasn't. */
  lackedSecrets(token: string, key: string): boolean {
    const sum = createHash('sha256').update(`${token}|${key}`).digest('hex');
    const noted = this.#read('secrets').trim();
    return noted !== '' && noted !== sum;
  }

  #read(name: string): string {
    const file = path.join(this.#folder, name);
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }
}

/** What logs are made of, and what could break a stream of them. */
function pieces({ outputSeed }: PlannedJob): Buffer[] {
  const random = new Random(outputSeed);
  const list = Array.from({ length: random.between(3, 14) }, () => piece(random));
  // the last line often has no end
  return random.chance(0.6) ? [...list, Buffer.from('Epoch 29: 100%|##########| 50/50')] : list;
}

function piece(random: Random): Buffer {
  switch (random.between(0, 7)) {
    case 0:
      return Buffer.from(
        Array.from({ length: 30 }, (_, step) => `\rEpoch 3: ${step}%|##${'#'.repeat(step)}`).join(''),
      );
    case 1:
      return Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x0a, 0xe2, 0x82, 0x00, 0x0a]);
    case 2:
      return Buffer.from(`${'x'.repeat(random.between(16_000, 70_000))}\n`);
    case 3:
      return Buffer.from(`\n@brev end 1-2\n@brev frame 1-2 0 log 0 5\n@brev finish 1-2 0\nstep=run\n`);
    case 4:
      return Buffer.from(random.bytes(random.between(1, 3_000)));
    case 5:
      return Buffer.from('no newline yet');
    case 6:
      return Buffer.from(
        `\u001b[38;20m2026-03-07 10:00:00 - [TAO Toolkit] - INFO - schön\u001b[0m\n`.repeat(40),
      );
    default:
      return Buffer.from(`loss: ${random.next()}\n`.repeat(random.between(1, 4_000)));
  }
}
