const personal =
  /^(npm_|BREV_|TAO_|NGC_|HF_|AWS_|S3_|LEPTON|WANDB|CLEARML|ACCESS_KEY$|SECRET_KEY$|XDG_(CONFIG|DATA|STATE|CACHE)_HOME$|VSCODE_(?!HOST$|VERSION$))/;

/** The surroundings of a test or demo: this process's environment without a developer's own accounts and settings. */
export function cleanEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !personal.test(name)));
}
