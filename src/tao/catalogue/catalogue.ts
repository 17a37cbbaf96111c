/** A file or folder that an action reads or writes, by the key of the spec that names it. */
export interface CatalogueFile {
  /** Dotted; the first item of a list is `.0`. */
  readonly key: string;
  /** `file` or `folder`, mostly. */
  readonly type: string;
  readonly isOptional: boolean;
}

/** One thing that a model's program can do. */
export interface CatalogueAction {
  readonly name: string;
  /** As the skill bank has it; `{config_path}` stands for the spec. */
  readonly command: string;
  /** Key in the catalogue's images, such as `tao_toolkit.pyt`; undefined when not known. */
  readonly imageKey: string | undefined;
  readonly inputs: readonly CatalogueFile[];
  readonly outputs: readonly CatalogueFile[];
}

/** A model that TAO trains. */
export interface CatalogueModel {
  /** Its name among models, such as `depth_net_mono`. */
  readonly id: string;
  /** The program that it is a case of, such as `depth_net`: the first word of its commands. */
  readonly network: string;
  /** As job records call it, such as `visual-changenet`. */
  readonly arch: string;
  /** GPUs for training; undefined when nobody says. */
  readonly gpus: { readonly min: number; readonly recommended: number } | undefined;
  /** For training, of each GPU; undefined when nobody says. */
  readonly minVramGb: number | undefined;
  readonly actions: readonly CatalogueAction[];
}

/** Where a catalogue's contents come from. */
export type CatalogueSource =
  | {
      readonly kind: 'builtIn';
      readonly taoVersion: string;
      /** The skill bank's revision and its day. */
      readonly revision: string;
      readonly date: string;
    }
  | { readonly kind: 'skillBank'; readonly folder: string };

/** The models, what they can do, and the images for it. */
export interface Catalogue {
  readonly source: CatalogueSource;
  readonly models: readonly CatalogueModel[];
  readonly images: ReadonlyMap<string, string>;
}

/** A model by its name, its network or the name that job records give it. */
export function findModel(catalogue: Catalogue, name: string): CatalogueModel | undefined {
  const plain = name.replaceAll('-', '_');
  return (
    catalogue.models.find(({ id }) => id === plain) ??
    catalogue.models.find(({ network, arch }) => network === plain || arch === name)
  );
}

export function findAction(model: CatalogueModel, name: string): CatalogueAction | undefined {
  return model.actions.find((action) => action.name === name);
}

/** The image for an action; undefined when the catalogue doesn't say. */
export function imageOf(catalogue: Catalogue, { imageKey }: CatalogueAction): string | undefined {
  return imageKey === undefined ? undefined : catalogue.images.get(imageKey);
}

/**
 * The words of an action's command, with the spec's path in its place, such as `ocdnet train -e /job/spec.yaml` for the
 * action `retrain`; undefined when it needs a shell.
 */
export function commandWords({ command }: CatalogueAction, specPath: string): readonly string[] | undefined {
  if (!/^[\w./:=@%+,-]+(?: +(?:[\w./:=@%+,-]+|\{config_path\}))*$/.test(command)) {
    return undefined;
  }
  return command.split(/ +/).map((word) => (word === '{config_path}' ? specPath : word));
}
