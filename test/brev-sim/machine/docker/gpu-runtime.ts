import { readGpus } from '../gpu.ts';
import type { ContainerConfig } from './container.ts';
import type { Refusal } from './execution.ts';

/** Why a container that asks for GPUs can't start on this machine (contract part 3, sample 14). */
export function gpuRefusal(machine: string, config: ContainerConfig): Refusal | undefined {
  const request = config.gpus;
  if (request === null) return undefined;
  const gpus = readGpus(machine);
  if (gpus === undefined) {
    return {
      error: `could not select device driver "" with capabilities: [[${request.capabilities.join(' ')}]]`,
      exitCode: 128,
    };
  }
  const unknown = request.deviceIds.find((id) => /^\d+$/.test(id) && Number(id) >= gpus.count);
  if (unknown === undefined) return undefined;
  return {
    error: `failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error running prestart hook #0: exit status 1, stdout: , stderr: Auto-detected mode as 'legacy'\nnvidia-container-cli: device error: ${unknown}: unknown device: unknown`,
    exitCode: 128,
  };
}
