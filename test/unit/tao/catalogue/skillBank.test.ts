import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { findAction, findModel, imageOf } from '../../../../src/tao/catalogue/catalogue.ts';
import { readCatalogue } from '../../../../src/tao/catalogue/skillBank.ts';
import { inEnglish } from '../../../../src/values/message.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'skill-bank-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(file: string, content: string): string {
  const full = path.join(folder, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, content);
  return full;
}

const skill = (name: string, content: string): string =>
  write(`skills/models/${name}/references/skill_info.yaml`, content);

const SEGFORMER = `
name: tao-train-segformer
network_arch: segformer
container_image: nvcr.io/old/tao:1-pyt  # versions-key: images.tao_toolkit.pyt
actions:
  train:
    command: segformer train -e {config_path}
    inputs:
      dataset.train_data_sources[0].image_dir:
        type: folder
      train.pretrained_model_path:
        type: file
        optional: true
    outputs:
      results_dir:
        type: folder
  gen_trt_engine:
    container_image: nvcr.io/own/deploy:2
    command: segformer gen_trt_engine -e {config_path}
`;
const VERSIONS = `
images:
  tao_toolkit:
    pyt: nvcr.io/nvidia/tao/tao-toolkit:9.9.9-pyt
wheels:
  tao_sdk: nvidia-tao-sdk==9
`;

async function read(): Promise<{ readonly image: string | undefined; readonly problems: readonly string[] }> {
  const { catalogue, problems } = await readCatalogue(folder);
  const model = findModel(catalogue, 'segformer') ?? assert.fail();
  const action = findAction(model, 'train') ?? assert.fail();
  return { image: imageOf(catalogue, action), problems: problems.map(inEnglish) };
}

describe('a skill bank', () => {
  it('gives models, files and images; versions.yaml has the last word; GPU counts stay what is built in', async () => {
    write('versions.yaml', VERSIONS);
    skill('tao-train-segformer', SEGFORMER);
    const { catalogue, problems } = await readCatalogue(folder);
    assert.deepEqual([catalogue.source, problems], [{ kind: 'skillBank', folder }, []]);
    const model = findModel(catalogue, 'segformer') ?? assert.fail();
    assert.deepEqual(model.gpus, { min: 1, recommended: 2 });
    const train = findAction(model, 'train') ?? assert.fail();
    assert.equal(imageOf(catalogue, train), 'nvcr.io/nvidia/tao/tao-toolkit:9.9.9-pyt');
    assert.deepEqual(train.inputs, [
      { key: 'dataset.train_data_sources.0.image_dir', type: 'folder', isOptional: false },
      { key: 'train.pretrained_model_path', type: 'file', isOptional: true },
    ]);
    const engine = findAction(model, 'gen_trt_engine') ?? assert.fail();
    assert.equal(imageOf(catalogue, engine), 'nvcr.io/own/deploy:2');
    assert.notEqual(findModel(catalogue, 'dino'), undefined, 'what it does not have is built in');
  });

  it('without versions.yaml gives the images that its skills name, and says so', async () => {
    skill('tao-train-segformer', SEGFORMER);
    const { image, problems } = await read();
    assert.equal(image, 'nvcr.io/old/tao:1-pyt');
    assert.match(problems.join(), /versions\.yaml/);
    write('versions.yaml', 'images: [1, 2]\n\t');
    assert.equal((await read()).image, 'nvcr.io/old/tao:1-pyt');
  });

  it('may name an image by its key alone, and a new model', async () => {
    write('versions.yaml', VERSIONS);
    skill(
      'x',
      'network_arch: new-net\ncontainer_image: tao_toolkit.pyt\nactions:\n  train:\n    command: new_net train -e {config_path}\n',
    );
    const { catalogue } = await readCatalogue(folder);
    const model = findModel(catalogue, 'new-net') ?? assert.fail();
    assert.deepEqual([model.id, model.network, model.gpus], ['new_net', 'new_net', undefined]);
    const train = findAction(model, 'train') ?? assert.fail();
    assert.equal(imageOf(catalogue, train), 'nvcr.io/nvidia/tao/tao-toolkit:9.9.9-pyt');
  });

  it('with odd skills gives the others, and says which could not be read and why', async () => {
    write('versions.yaml', VERSIONS);
    skill('good', SEGFORMER);
    skill('broken', 'a: [');
    skill('wrong', 'network_arch: 5\nactions: {}\n');
    skill('bomb', `network_arch: x\na: &a [1,1,1,1,1,1,1,1,1]\n${bomb(8)}\nactions: {train: {command: x}}\n`);
    skill('large', `# ${'x'.repeat(300_000)}\n${SEGFORMER}`);
    skill('uv', 'network_arch: nv-tesseract\nexecution_environment: uv\n');
    mkdirSync(path.join(folder, 'skills/models/empty'));
    mkdirSync(path.join(folder, 'skills/models/folder/references/skill_info.yaml'), { recursive: true });
    mkdirSync(path.join(folder, 'skills/models/pipe/references'), { recursive: true });
    execFileSync('mkfifo', [path.join(folder, 'skills/models/pipe/references/skill_info.yaml')]);
    const { problems, image } = await read();
    assert.equal(image, 'nvcr.io/nvidia/tao/tao-toolkit:9.9.9-pyt');
    assert.deepEqual(
      problems.map((problem) => problem.split(' ', 1)[0]),
      ['bomb', 'broken', 'folder', 'large', 'pipe', 'wrong'],
    );
  });

  it('that is none, empty or a file leaves what is built in, and says so', async () => {
    for (const named of [undefined, '']) {
      const { catalogue, problems } = await readCatalogue(named);
      assert.deepEqual([catalogue.source.kind, problems], ['builtIn', []]);
    }
    skill('broken', 'a: [');
    for (const named of [path.join(folder, 'none'), write('file', ''), folder]) {
      const { catalogue, problems } = await readCatalogue(named);
      assert.equal(catalogue.source.kind, 'builtIn');
      assert.match(problems.map(inEnglish).join(), /what is built in is used/);
    }
  });
});

function bomb(levels: number): string {
  return Array.from({ length: levels }, (_, level) => {
    const from = level === 0 ? 'a' : `b${level}`;
    return `b${level + 1}: &b${level + 1} [${Array.from({ length: 9 }, () => `*${from}`).join(', ')}]`;
  }).join('\n');
}
