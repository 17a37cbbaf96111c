import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  credentialNames,
  findCredential,
  findCredentials,
  foundIn,
} from '../../../src/preflight/credentials.ts';
import { inEnglish } from '../../../src/values/message.ts';

const file = (values: Record<string, string>) => ({ values: new Map(Object.entries(values)) });
const nothing = async () => undefined;

describe('findCredentials', () => {
  it('takes each from the first place that has it', async () => {
    const found = await findCredentials(['NGC_KEY', 'HF_TOKEN', 'ACCESS_KEY', 'SECRET_KEY'], {
      environment: { NGC_KEY: 'n-env' },
      envFile: file({ NGC_KEY: 'n-file', HF_TOKEN: 'h-file' }),
      secrets: async (name) => (name === 'SECRET_KEY' ? undefined : `${name}-secret`),
    });
    assert.deepEqual(Object.fromEntries(found), {
      NGC_KEY: { value: 'n-env', source: 'environment' },
      HF_TOKEN: { value: 'h-file', source: 'envFile' },
      ACCESS_KEY: { value: 'ACCESS_KEY-secret', source: 'secretStore' },
    });
  });

  it('asks the secret store only for what no other place has', async () => {
    const asked: string[] = [];
    await findCredentials(['NGC_KEY', 'HF_TOKEN', 'ACCESS_KEY'], {
      environment: { NGC_KEY: 'x' },
      envFile: file({ HF_TOKEN: 'x' }),
      secrets: async (name) => {
        asked.push(name);
        return undefined;
      },
    });
    assert.deepEqual(asked, ['ACCESS_KEY']);
  });

  it('takes an empty value for none', async () => {
    const found = await findCredential('NGC_KEY', {
      environment: { NGC_KEY: '' },
      envFile: file({ NGC_KEY: ' \t' }),
      secrets: async () => 'kept',
    });
    assert.deepEqual(found, { value: 'kept', source: 'secretStore' });
  });

  it('takes off what was pasted along', async () => {
    const found = await findCredential('NGC_KEY', {
      environment: { NGC_KEY: ' key\n' },
      envFile: undefined,
      secrets: nothing,
    });
    assert.equal(found?.value, 'key');
  });

  it('takes a session token only from where the key pair that it belongs to is', async () => {
    const token = async (places: { environment?: object; file?: Record<string, string> }) =>
      (
        await findCredential('AWS_SESSION_TOKEN', {
          environment: { AWS_SESSION_TOKEN: 'of the environment', ...places.environment },
          envFile: file(places.file ?? {}),
          secrets: nothing,
        })
      )?.value;
    assert.equal(await token({ environment: { SECRET_KEY: 'x' } }), 'of the environment');
    assert.equal(await token({ file: { SECRET_KEY: 'x' } }), undefined);
    assert.equal(await token({ file: { SECRET_KEY: 'x', AWS_SESSION_TOKEN: 'of the file' } }), 'of the file');
    assert.equal(await token({}), undefined);
  });

  it('does without an env file that cannot be read', async () => {
    const found = await findCredentials(credentialNames, {
      environment: {},
      envFile: undefined,
      secrets: nothing,
    });
    assert.equal(found.size, 0);
  });

  it('hides no fault of the secret store', async () => {
    const locked = async (): Promise<never> => {
      throw new Error('the keyring is locked');
    };
    await assert.rejects(
      findCredentials(['NGC_KEY'], { environment: {}, envFile: undefined, secrets: locked }),
      /keyring is locked/,
    );
  });

  it('says where, never what', () => {
    const says = (source: 'environment' | 'envFile' | 'secretStore') =>
      inEnglish(foundIn('NGC_KEY', source, '/h/.env'));
    assert.equal(says('environment'), 'Set in the environment: NGC_KEY.');
    assert.equal(says('envFile'), 'Set in /h/.env: NGC_KEY.');
    assert.equal(says('secretStore'), "Set in VS Code's secret storage: NGC_KEY.");
  });
});
