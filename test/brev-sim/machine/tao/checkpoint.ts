import { createHash } from 'node:crypto';
import { readdirSync, readlinkSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../json.ts';

const BYTES = 32 * 1024;

export function checkpointName(epoch: number, step: number): string {
  return `model_epoch_${String(epoch).padStart(3, '0')}_step_${String(step).padStart(5, '0')}.pth`;
}

/** Saves a checkpoint and points the `<net>_model_latest.pth` link at it. */
export function saveCheckpoint(folder: string, stem: string, epoch: number, step: number): string {
  const name = checkpointName(epoch, step);
  const block = createHash('sha256').update(name).digest();
  // A zip's magic, as torch.save has it; the rest is filling.
  writeFileSync(
    join(folder, name),
    Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(BYTES - 4, block)]),
  );
  const link = join(folder, `${stem}_latest.pth`);
  try {
    unlinkSync(link);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
  symlinkSync(name, link);
  return name;
}

export interface Resume {
  name: string;
  epoch: number;
  step: number;
}

/** The checkpoint that a latest link in the folder points at: a rerun goes on from it (contract part 3). */
export function findResume(folder: string): Resume | undefined {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const link = names.find((name) => name.endsWith('_latest.pth'));
  return link === undefined ? undefined : resumeFrom(linkTarget(join(folder, link)));
}

function linkTarget(path: string): string {
  try {
    return readlinkSync(path);
  } catch (error) {
    // Downloaded results have a plain file where the link was.
    if (errorCode(error) === 'EINVAL') return path;
    throw error;
  }
}

/** Reads epoch and step from a checkpoint's name. */
export function resumeFrom(path: string): Resume | undefined {
  const match = /model_epoch_(\d+)_step_(\d+)\.pth$/.exec(path);
  if (match === null) return undefined;
  return { name: path, epoch: Number(match[1]), step: Number(match[2]) };
}
