import { detection } from './builtInDetection.ts';
import { builtInModel } from './builtInModel.ts';
import { pixels } from './builtInPixels.ts';
import { recognition } from './builtInRecognition.ts';
import type { Catalogue } from './catalogue.ts';

/** The images of versions.yaml (tao.md part 2). */
const IMAGES = {
  'tao_toolkit.pyt': 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-pyt',
  'tao_toolkit.deploy': 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-deploy',
  'tao_toolkit.data_services': 'nvcr.io/nvidia/tao/tao-toolkit:7.1.0-data-services',
  'tao_toolkit.video_clip': 'nvcr.io/nvstaging/tao/tao-toolkit-pyt:v7.0.1-pyt2.1.0-py3-03',
};

/** What is known without a skill bank at hand: taken from the one named here, GPU counts from its prose. */
export const builtInCatalogue: Catalogue = {
  source: { kind: 'builtIn', taoVersion: '7.1.0', revision: '49672c2', date: '2026-08-20' },
  models: [...recognition, ...detection, ...pixels].map(builtInModel).sort((a, b) => (a.id < b.id ? -1 : 1)),
  images: new Map(Object.entries(IMAGES)),
};
