import { DockerFailure } from '../failure.ts';
import { strikingFault } from '../faults.ts';
import { commandLine, parseLine } from '../flags.ts';
import { describeImage, parseReference } from '../images.ts';
import { asRefusal, registryRefusal } from '../registry.ts';
import { machineFolder } from '../store.ts';
import { needWords } from '../words.ts';

/** `docker manifest inspect`: the client asks the registry itself; no engine is needed. */
export async function manifestInspect(args: string[]): Promise<number> {
  const line = parseLine(
    commandLine('manifest inspect', '[OPTIONS] [MANIFEST_LIST] MANIFEST', 'insecure v,verbose'),
    args,
  );
  needWords(line, 1, 2);
  const reference = parseReference(line.words.at(-1) ?? '');
  const machine = machineFolder();
  const fault = strikingFault(machine, 'pull', reference.familiar);
  const refusal = asRefusal(fault?.error ?? '') ?? registryRefusal(machine, reference);
  if (refusal === 'manifest-unknown') {
    throw new DockerFailure(`no such manifest: ${reference.domain}/${reference.path}:${reference.tag}`);
  }
  if (refusal !== undefined) {
    const texts: Record<string, string> = {
      denied: 'denied: requested access to the resource is denied',
      forbidden: `failed to fetch oauth token: unexpected status from GET request to https://${reference.domain}/proxy_auth: 403 Forbidden`,
    };
    throw new DockerFailure(texts[refusal] ?? 'unauthorized: authentication required');
  }
  const image = describeImage(reference);
  const manifest = {
    schemaVersion: 2,
    mediaType: 'application/vnd.docker.distribution.manifest.v2+json',
    config: { mediaType: 'application/vnd.docker.container.image.v1+json', size: 28_754, digest: image.id },
    layers: [
      {
        mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip',
        size: Math.round(image.size / 2),
        digest: image.digest,
      },
    ],
  };
  process.stdout.write(`${JSON.stringify(manifest, null, '\t')}\n`);
  return 0;
}
