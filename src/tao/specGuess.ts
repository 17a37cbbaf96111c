import { actionsOf, networks } from './networks.ts';

/** What a spec file seems to be for. Only a guess: the user sees it and can change it. */
export interface SpecGuess {
  readonly network: string | undefined;
  readonly action: string;
}

/** How much of a file is looked at. */
const MAX_LOOK = 64 * 1024;
/** Names that files and folders use beside the command's own. */
const ALIASES: Readonly<Record<string, string>> = {
  changenet: 'visual_changenet',
  vcn: 'visual_changenet',
  classification: 'classification_pyt',
  classifier: 'classification_pyt',
  segmentation: 'segformer',
};

const KNOWN_WORDS: readonly (readonly [string, string])[] = [
  ...Object.keys(networks).map((name) => [name, name] as const),
  ...Object.entries(ALIASES),
];
/** Shorter names are words of other meaning too: `clip_grad_norm`, `mal`. */
const SHORTEST_WITHIN_A_WORD = 5;

/** Guesses network and action from a spec's path and text, without any side file. */
export function guessSpec(path: string, text: string): SpecGuess {
  const head = text.slice(0, MAX_LOOK);
  const network = networkNamedIn(head) ?? networkIn(path) ?? networkIn(head, SHORTEST_WITHIN_A_WORD);
  return { network, action: actionIn(path, head, network) };
}

/** The network that a text names by `model_name: …` and the like, as the command is called. */
function networkNamedIn(text: string): string | undefined {
  const named = /^[ \t]*(?:model_name|network|network_arch|model_arch)[ \t]*:[ \t]*["']?([\w-]+)/im.exec(
    text,
  )?.[1];
  return named === undefined ? undefined : networkIn(named);
}

/** The longest known name counts: `mask_grounding_dino` is not `dino`. */
function networkIn(text: string, shortest = 1): string | undefined {
  const words = text.toLowerCase().replaceAll('-', '_');
  let best: { readonly network: string; readonly length: number } | undefined;
  for (const [word, network] of KNOWN_WORDS) {
    const longer = word.length >= shortest && word.length > (best?.length ?? 0);
    if (longer && new RegExp(`(?<![a-z0-9])${word}(?![a-z0-9])`).test(words)) {
      best = { network, length: word.length };
    }
  }
  return best?.network;
}

function actionIn(path: string, text: string, network: string | undefined): string {
  const actions = network === undefined ? actionsOf('') : actionsOf(network);
  const name = path.split(/[\\/]/).at(-1)?.toLowerCase() ?? '';
  const named = actions.find((action) => new RegExp(`(?<![a-z])${action}(?![a-z])`).test(name));
  if (named !== undefined) {
    return named;
  }
  const sections = actions.filter((action) => new RegExp(`^${action}:`, 'm').test(text));
  // a training spec often carries the sections of what follows too
  return sections.includes('train') ? 'train' : (sections[0] ?? 'train');
}
