import { createHash } from 'node:crypto';
import { simulatedSleep, simulationSpeed } from '../speed.ts';
import { DockerFailure, engineError } from './failure.ts';
import { strikingFault } from './faults.ts';
import { describeImage, findImage, type Reference, storeImage } from './images.ts';
import { asRefusal, pullSeconds, refusalText, registryRefusal } from './registry.ts';

/** Pulls an image into this machine, printing what docker prints without a terminal (contract part 3). */
export async function pullImage(
  machine: string,
  reference: Reference,
  print: (text: string) => void,
): Promise<void> {
  const speed = simulationSpeed(machine);
  const fault = strikingFault(machine, 'pull', reference.familiar);
  if (fault !== undefined && fault.seconds > 0) await simulatedSleep(fault.seconds, speed);
  if (fault?.text !== undefined) throw engineError(fault.text);
  if (fault?.error === 'toomanyrequests') {
    throw engineError(
      'toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit',
    );
  }
  const refusal = asRefusal(fault?.error ?? '') ?? registryRefusal(machine, reference);
  if (refusal !== undefined) throw refusalText(refusal, reference);

  const image = describeImage(reference);
  print(`${reference.tag === '' ? reference.digest : reference.tag}: Pulling from ${reference.path}\n`);
  if (findImage(machine, reference.familiar) !== undefined) {
    print(`Digest: ${image.digest}\nStatus: Image is up to date for ${reference.familiar}\n`);
    return;
  }
  await pullLayers(reference, pullSeconds(machine, image.size), speed, fault?.error === 'no-space', print);
  storeImage(machine, image);
  print(`Digest: ${image.digest}\nStatus: Downloaded newer image for ${reference.familiar}\n`);
}

function layerIds(reference: Reference): string[] {
  const count = reference.path.includes('tao-toolkit') ? 12 : 3;
  return Array.from({ length: count }, (_, index) =>
    createHash('sha256').update(`${reference.familiar} layer ${index}`).digest('hex').slice(0, 12),
  );
}

async function pullLayers(
  reference: Reference,
  seconds: number,
  speed: number,
  diskIsFull: boolean,
  print: (text: string) => void,
): Promise<void> {
  const layers = layerIds(reference);
  for (const layer of layers) print(`${layer}: Pulling fs layer\n`);
  // Docker downloads three at a time; the others wait.
  for (const layer of layers.slice(3)) print(`${layer}: Waiting\n`);
  for (const layer of layers) {
    await simulatedSleep(seconds / layers.length / 2, speed);
    print(`${layer}: Verifying Checksum\n${layer}: Download complete\n`);
  }
  for (const [index, layer] of layers.entries()) {
    await simulatedSleep(seconds / layers.length / 2, speed);
    if (diskIsFull && index === Math.floor(layers.length / 2)) {
      throw new DockerFailure(
        'failed to register layer: write /usr/local/lib/python3.12/dist-packages/torch/lib/libtorch_cuda.so: no space left on device',
      );
    }
    print(`${layer}: Pull complete\n`);
  }
}
