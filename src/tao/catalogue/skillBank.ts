import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../process/errorCode.ts';
import { type Message, message } from '../../values/message.ts';
import { builtInCatalogue } from './builtIn.ts';
import type { Catalogue, CatalogueAction, CatalogueModel } from './catalogue.ts';
import { type ImageLine, imageLine, versionImages } from './imageLines.ts';
import { parseSkillInfo } from './skillInfo.ts';

/** A catalogue, and what of the skill bank could not be used for it. */
export interface CatalogueReading {
  readonly catalogue: Catalogue;
  readonly problems: readonly Message[];
}

const MAX_FILE_BYTES = 256 * 1024;
const MAX_SKILLS = 200;

/**
 * The catalogue of a skill bank's checkout, or the built-in one where there is none. What a checkout doesn't say, such as
 * the number of GPUs, and what can't be read of it, comes from the built-in one. Never throws for what the folder holds.
 */
export async function readCatalogue(folder: string | undefined): Promise<CatalogueReading> {
  if (folder === undefined || folder === '') {
    return { catalogue: builtInCatalogue, problems: [] };
  }
  const names = await skillNames(path.join(folder, 'skills', 'models'));
  if (names.length === 0) {
    return {
      catalogue: builtInCatalogue,
      problems: [
        message(
          'TAO_SKILL_BANK_PATH names {0}, which holds no skills/models: what is built in is used.',
          folder,
        ),
      ],
    };
  }
  const problems: Message[] = [];
  const images = new Map(builtInCatalogue.images);
  const versions = await readYaml(path.join(folder, 'versions.yaml'));
  const ofVersions = versions.kind === 'read' ? versionImages(versions.value) : new Map<string, string>();
  if (ofVersions.size === 0) {
    problems.push(
      message('versions.yaml of the skill bank cannot be used: the images are those that its skills name.'),
    );
  }
  const models = new Map(builtInCatalogue.models.map((model) => [model.id, model]));
  let found = 0;
  for (const name of names) {
    const skill = await readSkill(
      path.join(folder, 'skills', 'models', name, 'references', 'skill_info.yaml'),
    );
    switch (skill.kind) {
      case 'missing':
      case 'otherKind':
        break;
      case 'unreadable':
        problems.push(message('{0} of the skill bank cannot be read: {1}', name, skill.reason));
        break;
      case 'read':
        found++;
        models.set(skill.model.id, skill.model);
        for (const [key, image] of skill.images) {
          images.set(key, image);
        }
        break;
    }
  }
  // versions.yaml is what the images in the skills are stamped from
  for (const [key, image] of ofVersions) {
    images.set(key, image);
  }
  if (found === 0) {
    problems.push(message('No skill of {0} could be read: what is built in is used.', folder));
    return { catalogue: builtInCatalogue, problems };
  }
  return {
    catalogue: {
      source: { kind: 'skillBank', folder },
      models: [...models.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
      images,
    },
    problems,
  };
}

type Skill =
  | { readonly kind: 'missing' | 'otherKind' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'read'; readonly model: CatalogueModel; readonly images: ReadonlyMap<string, string> };

async function readSkill(file: string): Promise<Skill> {
  const yaml = await readYaml(file);
  if (yaml.kind !== 'read') {
    return yaml;
  }
  const { value, document } = yaml;
  // some skills run no container
  if (typeof value === 'object' && value !== null && !('actions' in value)) {
    return { kind: 'otherKind' };
  }
  const info = parseSkillInfo(value);
  if (info === undefined) {
    return { kind: 'unreadable', reason: 'network_arch or actions are not what they should be' };
  }
  const usual = imageLine(document, []);
  const images = new Map<string, string>();
  const actions = info.actions.map((action): CatalogueAction => {
    const own = imageLine(document, ['actions', action.name]);
    const line = own.image === undefined && own.key === undefined ? usual : own;
    return { ...action, imageKey: noted(line, images) };
  });
  const id = info.arch.replaceAll('-', '_');
  const builtIn = builtInCatalogue.models.find((model) => model.id === id);
  return {
    kind: 'read',
    images,
    model: {
      id,
      network: networkOf(actions) ?? builtIn?.network ?? id,
      arch: info.arch,
      gpus: builtIn?.gpus,
      minVramGb: builtIn?.minVramGb,
      actions,
    },
  };
}

/** The key by which an image is found again; one without a key goes by its own name. */
function noted({ image, key }: ImageLine, images: Map<string, string>): string | undefined {
  const name = key ?? image;
  if (name !== undefined && image !== undefined) {
    images.set(name, image);
  }
  return name;
}

/** The program that trains, by the first word of its command. */
function networkOf(actions: readonly CatalogueAction[]): string | undefined {
  const [first] =
    /^[a-z][a-z0-9_]*(?= )/.exec(actions.find(({ name }) => name === 'train')?.command ?? '') ?? [];
  return first === 'python' || first === 'bash' ? undefined : first;
}

async function skillNames(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort()
      .slice(0, MAX_SKILLS);
  } catch {
    // missing, no folder, not allowed: there are no skills then, and the caller says so
    return [];
  }
}

type Yaml =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'read'; readonly value: unknown; readonly document: import('yaml').Document };

async function readYaml(file: string): Promise<Yaml> {
  const text = await readText(file);
  if (text.kind !== 'read') {
    return text;
  }
  const yaml = await import('yaml');
  const document = yaml.parseDocument(text.text, { prettyErrors: false, logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined) {
    return { kind: 'unreadable', reason: error.message.split('\n', 1)[0] ?? '' };
  }
  try {
    return { kind: 'read', value: document.toJS({ maxAliasCount: 100 }), document };
  } catch (error_) {
    // aliases that multiply
    return { kind: 'unreadable', reason: error_ instanceof Error ? error_.message : String(error_) };
  }
}

type Text =
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'read'; readonly text: string };

async function readText(file: string): Promise<Text> {
  try {
    // looked at first: opening a pipe would wait for its writer
    const stats = await stat(file);
    if (!stats.isFile() || stats.size > MAX_FILE_BYTES) {
      return { kind: 'unreadable', reason: stats.isFile() ? 'it is too large' : 'it is no file' };
    }
    return { kind: 'read', text: await readFile(file, 'utf8') };
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? { kind: 'missing' }
      : { kind: 'unreadable', reason: code ?? String(error) };
  }
}
