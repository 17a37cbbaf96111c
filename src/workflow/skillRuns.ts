import { type Catalogue, commandWords, findAction, findModel, imageOf } from '../tao/catalogue/catalogue.ts';

/** What the action of a skill runs when its step says nothing else. */
export interface SkillRun {
  /** The words that start the program before `-e` and its spec. */
  readonly network: string;
  readonly action: string;
  /** Undefined when the catalogue doesn't say: the step must. */
  readonly image: string | undefined;
  readonly gpus: number | 'all';
}

export type SkillLook =
  | { readonly kind: 'known'; readonly run: SkillRun }
  | { readonly kind: 'unknownSkill' }
  | { readonly kind: 'unknownAction'; readonly actions: readonly string[] }
  /** It needs more than two words, or a shell: a step can't guess that. */
  | { readonly kind: 'notByItself' };

interface DataSkill {
  readonly names: readonly string[];
  readonly actions: Readonly<Record<string, readonly [string, string]>>;
}

/**
 * Skills of the bank that are no models: they run in the data-services image, on CPUs (skill bank 49672c2, skills/data, and
 * features.md row 18 for the name that its Brev page uses).
 */
const DATA_SKILLS: readonly DataSkill[] = [
  {
    names: ['vcn-gap-analysis', 'tao-analyze-gaps-visual-changenet'],
    actions: { analyze: ['gap_analysis', 'vcn_aoi'] },
  },
  {
    names: ['tao-analyze-detection-kpi'],
    actions: { kpi_analyze: ['analytics', 'kpi_analyze'], analyze: ['analytics', 'kpi_analyze'] },
  },
];
const DATA_IMAGE = 'tao_toolkit.data_services';

/** Trainings take all GPUs that there are; what is measured or converted does with one. */
const TRAININGS = new Set(['train', 'segment_train', 'retrain', 'distill']);

export function lookUpSkill(catalogue: Catalogue, skill: string, actionName: string): SkillLook {
  const data = DATA_SKILLS.find(({ names }) => names.includes(skill));
  if (data !== undefined) {
    const words = Object.hasOwn(data.actions, actionName) ? data.actions[actionName] : undefined;
    return words === undefined
      ? { kind: 'unknownAction', actions: Object.keys(data.actions) }
      : {
          kind: 'known',
          run: { network: words[0], action: words[1], image: catalogue.images.get(DATA_IMAGE), gpus: 0 },
        };
  }
  const model = findModel(catalogue, skill.replace(/^tao-(?:train|finetune)-/, ''));
  if (model === undefined) {
    return { kind: 'unknownSkill' };
  }
  const action = findAction(model, actionName);
  if (action === undefined) {
    return { kind: 'unknownAction', actions: model.actions.map(({ name }) => name) };
  }
  const words = commandWords(action, '{config_path}');
  const [network, verb, flag, config] = words ?? [];
  if (network === undefined || verb === undefined || flag !== '-e' || config !== '{config_path}') {
    return { kind: 'notByItself' };
  }
  return {
    kind: 'known',
    run: {
      network,
      action: verb,
      image: imageOf(catalogue, action),
      gpus: TRAININGS.has(actionName) ? (model.gpus?.recommended ?? 'all') : 1,
    },
  };
}
