import { humanDuration, nowNanoseconds, parseTime } from '../clock.ts';
import { DockerFailure, engineError } from '../failure.ts';
import { requireEngine } from '../faults.ts';
import { commandLine, parseLine } from '../flags.ts';
import { findImage, type Image, listImages, removeImage } from '../images.ts';
import { decimalSize } from '../sizes.ts';
import { listContainers, machineFolder } from '../store.ts';
import { rowFormatter } from '../table.ts';
import { needWords } from '../words.ts';

const COLUMNS = {
  Repository: 'REPOSITORY',
  Tag: 'TAG',
  ID: 'IMAGE ID',
  CreatedSince: 'CREATED',
  Size: 'SIZE',
};

/** `docker images [NAME]`. */
export async function images(args: string[]): Promise<number> {
  const line = parseLine(
    commandLine(
      'images',
      '[OPTIONS] [REPOSITORY[:TAG]]',
      'a,all digests f,filter= format= no-trunc q,quiet tree',
    ),
    args,
  );
  needWords(line, 0, 1);
  const format = rowFormatter(line.value('format'), { columns: COLUMNS, type: '*formatter.imageContext' });
  const machine = machineFolder();
  await requireEngine(machine, '/images/json');
  const [name] = line.words;
  const found = listImages(machine).filter(
    ({ reference, repository }) => name === undefined || name === reference || name === repository,
  );
  if (line.on('quiet')) process.stdout.write(found.map(({ id }) => `${shortId(id)}\n`).join(''));
  else {
    process.stdout.write(format(found.map(row)));
  }
  return 0;
}

function shortId(id: string): string {
  return id.replace('sha256:', '').slice(0, 12);
}

function row({ repository, tag, id, digest, size, created }: Image): Record<string, unknown> {
  return {
    Containers: 'N/A',
    CreatedAt: `${created.slice(0, 19).replace('T', ' ')} +0000 UTC`,
    CreatedSince: `${humanDuration(nowNanoseconds() - (parseTime(created) ?? 0n))} ago`,
    Digest: digest,
    ID: shortId(id),
    Repository: repository,
    SharedSize: 'N/A',
    Size: decimalSize(size),
    Tag: tag === '' ? '<none>' : tag,
    UniqueSize: 'N/A',
    VirtualSize: decimalSize(size),
  };
}

/** `docker rmi`: refuses an image that a container uses, unless forced. */
export async function rmi(args: string[]): Promise<number> {
  const line = parseLine(commandLine('rmi', '[OPTIONS] IMAGE [IMAGE...]', 'f,force no-prune'), args);
  needWords(line, 1);
  const machine = machineFolder();
  await requireEngine(machine, '/images/x');
  const containers = await listContainers(machine);
  const failures: string[] = [];
  for (const word of line.words) {
    const image = findImage(machine, word);
    const user = containers.find(({ config }) => image !== undefined && config.imageId === image.id);
    if (image === undefined) failures.push(engineError(`No such image: ${word}`).message);
    else if (user !== undefined && !line.on('force')) {
      const using = `container ${user.config.id.slice(0, 12)} is using its referenced image ${shortId(image.id)}`;
      failures.push(
        engineError(`conflict: unable to remove repository reference "${word}" (must force) - ${using}`)
          .message,
      );
    } else {
      removeImage(machine, image);
      process.stdout.write(`Untagged: ${image.reference}\nDeleted: ${image.id}\n`);
    }
  }
  if (failures.length > 0) throw new DockerFailure(failures.join('\n'));
  return 0;
}
