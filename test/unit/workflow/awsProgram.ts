import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pythonOf } from '../../support/pythonEnvironment.ts';

/** As much of `aws s3 cp` as jobs use, with the boto3 that the simulated S3 brings. */
const PROGRAM = `
import os
import sys
import boto3

words = [word for word in sys.argv[1:] if word not in ("s3", "cp", "--only-show-errors", "--recursive")]
folder = "--recursive" in sys.argv
source, target = words
client = boto3.client("s3", endpoint_url=os.environ["AWS_ENDPOINT_URL"])

def split(uri):
    bucket, _, key = uri[len("s3://"):].partition("/")
    return bucket, key

if source.startswith("s3://"):
    bucket, key = split(source)
    if folder:
        for row in client.list_objects_v2(Bucket=bucket, Prefix=key).get("Contents", []):
            file = os.path.join(target, row["Key"][len(key):])
            os.makedirs(os.path.dirname(file), exist_ok=True)
            client.download_file(bucket, row["Key"], file)
    else:
        client.download_file(bucket, key, target)
else:
    bucket, key = split(target)
    if folder:
        for top, _, names in os.walk(source):
            for name in names:
                file = os.path.join(top, name)
                client.upload_file(file, bucket, key + os.path.relpath(file, source))
    else:
        client.upload_file(source, bucket, key)
`;

/** Makes the folder, with an `aws` in it. */
export async function makeAws(folder: string): Promise<void> {
  const python = await pythonOf('moto');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'aws'), `#!${python}\n${PROGRAM}`, { mode: 0o755 });
}
