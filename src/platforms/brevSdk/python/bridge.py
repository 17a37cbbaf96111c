"""The TAO SDK behind JSON lines: one request a line on stdin, answers and events on stdout in any order.

  {"id": 1, "method": "create_job", "params": {…}}  →  {"id": 1, "result": …} or {"id": 1, "error": {"kind", "message"}}
  and, as soon as the SDK has a job's id:  {"id": 1, "event": "registered", "job": "<id>"}

No secret passes here: a job's own go to the instance by the extension's shell, and the container reads them there.
Ends when stdin does, after launches that are under way.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import threading
import time
import traceback

# the adapter's modules lie beside this file and are none of the SDK's
sys.path.pop(0)

STATE = os.environ["BREV_ADAPTER_STATE"]
TERMINAL = ("Complete", "Error", "Canceled")
# The SDK would put these on command lines by itself (tao.md part 1, Env).
SECRETS = ("BREV_API_TOKEN", "ACCESS_KEY", "SECRET_KEY", "S3_ENDPOINT_URL", "S3_BUCKET_NAME", "HF_TOKEN", "NGC_KEY")
# Where the container finds its secrets; the file is gone once it has read them.
SECRETS_FILE = "/run/brev-secrets/env"
READ_SECRETS = f"if [ -e {SECRETS_FILE} ]; then . {SECRETS_FILE}; rm -f {SECRETS_FILE}; fi\n"
LAUNCH_SECONDS = 40
CANCEL_SECONDS = 3


class Wrong(Exception):
    """A request that can't be served, with its kind."""

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind = kind


class Bridge:
    def __init__(self, write):
        self._write = write
        self._starting = threading.Lock()
        self._sdk = None
        self._request = threading.local()
        # job id -> set when its create_job has returned
        self._creating: dict[str, threading.Event] = {}

    def handle(self, request: dict) -> None:
        answer: dict = {"id": request.get("id")}
        try:
            method = METHODS.get(request.get("method"))
            if method is None:
                raise Wrong("unknownMethod", f"no method {request.get('method')}")
            answer["result"] = method(self, {**request.get("params", {}), "request": request.get("id")})
        except Wrong as wrong:
            answer["error"] = {"kind": wrong.kind, "message": str(wrong)}
        except Exception as error:
            logging.error("%s", traceback.format_exc())
            answer["error"] = {"kind": "sdk", "message": f"{type(error).__name__}: {error}"}
        self._write(answer)

    def sdk(self):
        """The SDK, made once; its state lies where TAO_SDK_STATE_DIR says."""
        with self._starting:
            if self._sdk is None:
                try:
                    from tao_sdk.platforms.brev import BrevSDK
                except ImportError as error:
                    raise Wrong("sdkMissing", f"nvidia-tao-sdk is not installed for {sys.executable}: {error}") from error
                sdk = BrevSDK(poll_interval=3600)
                # the SDK tells a job's id only at the end of create_job, which may wait minutes for an instance
                register = sdk._store.create_job

                def registered(*args, **kwargs):
                    self._registered(kwargs["job_id"])
                    return register(*args, **kwargs)

                sdk._store.create_job = registered
                self._sdk = sdk
            return self._sdk

    def versions(self, _params: dict) -> dict:
        from importlib import metadata

        try:
            sdk = metadata.version("nvidia-tao-sdk")
        except metadata.PackageNotFoundError:
            sdk = None
        return {"python": ".".join(map(str, sys.version_info[:3])), "executable": sys.executable, "sdk": sdk}

    def build_entrypoint(self, params: dict) -> dict:
        return {"command": entrypoint(params)}

    def create_job(self, params: dict) -> dict:
        sdk, name = self.sdk(), params["name"]
        known = self._known(name)
        if known is not None and (known in self._creating or not claim(known, "cancel")):
            # its launch began once, in this process or in one before
            return {"job": known, "known": True}
        if known is not None:
            os.unlink(os.path.join(STATE, "names", name))
        new = params.get("new_instance")
        if new is not None:
            write(os.path.join(STATE, "wanted", params["instance"]), json.dumps(new))
        environment = dict(params.get("environment", {}))
        if "folder" in params:
            environment["BREV_INSTANCES_JOB"] = f"{params['folder']}:{params.get('gpus', 'all')}"
        command = entrypoint(params) if "spec" in params else params["command"]
        if "folder" in params and not environment.get("S3_BUCKET_NAME"):
            # without a bucket the results stay in the job's folder, which the adapter mounts
            command = f"export TAO_RESULTS_ROOT=/results\n{command}"
        self._request.current = (params["request"], name)
        self._request.job = None
        try:
            job = sdk.create_job(
                image=params["image"],
                command=READ_SECRETS + params.get("before", "") + command,
                env_vars=environment,
                instance_id=params["instance"],
                gpu_type=None if new is None else new.get("gpu_type"),
                cloud_cred_id=params.get("cloud_cred_id"),
                workspace_group_id=params.get("workspace_group_id"),
            )
        finally:
            self._request.current = None
            if self._request.job is not None:
                self._creating.pop(self._request.job).set()
            if new is not None:
                remove(os.path.join(STATE, "wanted", params["instance"]))
        return {"job": job.id, "known": False, "results": job.results_dir, "details": self._details(job.id)}

    def _registered(self, job: str) -> None:
        request, name = self._request.current
        write(os.path.join(STATE, "names", name), job)
        self._request.job = job
        self._creating[job] = threading.Event()
        self._write({"id": request, "event": "registered", "job": job})

    def get_job_status(self, params: dict) -> dict:
        job = self._job(params)
        status = self.sdk().get_job_status(job)
        return {"job": job, "status": status.status, "message": status.message}

    def get_job_logs(self, params: dict) -> dict:
        return {"log": self.sdk().get_job_logs(self._job(params), tail=params.get("tail"))}

    def get_job(self, params: dict) -> dict:
        job = self._job(params)
        entry = self.sdk().get_job(job)
        if entry is None:
            raise Wrong("unknownJob", f"the SDK has no job {job}")
        return {**row(entry), "details": self._details(job)}

    def list_jobs(self, params: dict) -> dict:
        return {"jobs": [row(entry) for entry in self.sdk().list_jobs(params.get("status"))]}

    def cancel_job(self, params: dict) -> dict:
        """Cancels a job at any time; where its status isn't terminal then, something of it may still be running."""
        sdk, job = self.sdk(), self._job(params)
        creating = self._creating.get(job)
        if claim(job, "cancel"):
            # the adapter will refuse the launch, and the SDK then marks it canceled by itself
            if creating is None or creating.wait(1):
                sdk._store.update_job_status(job, "Canceled")
            return {"job": job, "status": "Canceled"}
        if creating is not None:
            creating.wait(LAUNCH_SECONDS)
        deadline = time.monotonic() + CANCEL_SECONDS
        # refused while docker has not created the container yet, which a pull makes long
        while not sdk.cancel_job(job) and time.monotonic() < deadline:
            time.sleep(0.5)
        status = (sdk.get_job(job) or {}).get("status", "Unknown")
        return {"job": job, "status": status}

    def confirm_canceled(self, params: dict) -> dict:
        """Notes the end of a job that somebody else has stopped and verified; a terminal status stays as it is."""
        sdk, job = self.sdk(), self._job(params)
        sdk._store.update_job_status(job, "Canceled")
        status = (sdk.get_job(job) or {}).get("status", "Unknown")
        return {"job": job, "status": status}

    def _details(self, job: str) -> dict:
        specs = (self.sdk().get_job(job) or {}).get("specs") or {}
        runtime = (json.loads(specs) if isinstance(specs, str) else specs).get("_brev_runtime")
        return runtime if isinstance(runtime, dict) else {}

    def _job(self, params: dict) -> str:
        job = params.get("job") or self._known(params["name"])
        if job is None:
            raise Wrong("unknownJob", f"no job of the SDK is known for {params['name']}")
        return job

    def _known(self, name: str) -> str | None:
        try:
            with open(os.path.join(STATE, "names", name), encoding="utf-8") as file:
                return file.read()
        except FileNotFoundError:
            return None


METHODS = {
    "versions": Bridge.versions,
    "build_entrypoint": Bridge.build_entrypoint,
    "create_job": Bridge.create_job,
    "get_job_status": Bridge.get_job_status,
    "get_job_logs": Bridge.get_job_logs,
    "get_job": Bridge.get_job,
    "list_jobs": Bridge.list_jobs,
    "cancel_job": Bridge.cancel_job,
    "confirm_canceled": Bridge.confirm_canceled,
}


def row(entry: dict) -> dict:
    names = ("job_id", "status", "image", "results_dir", "created_at", "updated_at")
    return {name: str(entry.get(name, "")) for name in names}


def entrypoint(params: dict) -> str:
    """TAO's command on a spec file in the SDK's runner, which fetches what the spec names and uploads the results."""
    from tao_sdk.script_runner import build_entrypoint

    import yaml

    try:
        specs = yaml.safe_load(params["spec"])
    except yaml.YAMLError as error:
        raise Wrong("specUnreadable", str(error)) from error
    if not isinstance(specs, dict):
        raise Wrong("specUnreadable", "the spec is no mapping")
    results = specs.get("results_dir")
    if not isinstance(results, str) or "://" not in results:
        # the runner fills it in: in the bucket where there is one, else under /results
        specs["results_dir"] = None
    outputs = {"results_dir": {}}
    return build_entrypoint(
        command=params["command"],
        specs=specs,
        inputs={key: {} for key in remote_keys(specs) if key != "results_dir"},
        outputs=outputs,
        config_format="yaml",
    )["command"]


def remote_keys(value, key: str = "") -> list:
    """The dotted keys of s3:// values; a list of them counts as one."""
    if isinstance(value, dict):
        return [found for name, each in value.items() for found in remote_keys(each, f"{key}.{name}" if key else str(name))]
    if isinstance(value, list):
        if any(isinstance(each, dict) for each in value):
            return [found for number, each in enumerate(value) for found in remote_keys(each, f"{key}[{number}]")]
        return [key] if any(remote_keys(each, key) for each in value) else []
    return [key] if isinstance(value, str) and value.startswith("s3://") else []


def claim(job: str, what: str) -> bool:
    """Takes the right to decide whether a job is launched; the adapter takes the same one before a launch."""
    path = os.path.join(STATE, "claims", job)
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            file.write(what)
        return True
    except FileExistsError:
        with open(path, encoding="utf-8") as file:
            return file.read() == what


def write(path: str, text: str) -> None:
    draft = f"{path}.{os.getpid()}.{threading.get_ident()}"
    with open(draft, "w", encoding="utf-8") as file:
        file.write(text)
    os.replace(draft, path)


def remove(path: str) -> None:
    try:
        os.unlink(path)
    except FileNotFoundError:
        pass  # the adapter took it


def main() -> None:
    os.umask(0o077)
    for folder in ("names", "claims", "wanted"):
        os.makedirs(os.path.join(STATE, folder), exist_ok=True)
    # the SDK imports what it finds in the working directory (tao.md part 1, State)
    os.chdir(STATE)
    for name in SECRETS:
        os.environ.pop(name, None)
    # whatever a library prints goes to stderr: stdout is the protocol's
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    os.dup2(2, 1)
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(name)s: %(message)s")
    writing = threading.Lock()

    def say(answer: dict) -> None:
        with writing:
            try:
                answers.write(json.dumps(answer) + "\n")
                answers.flush()
            except BrokenPipeError:
                pass  # the extension is gone; what is under way ends all the same

    bridge = Bridge(say)
    for line in sys.stdin:
        request = json.loads(line)
        # a launch that is under way is finished after the end of stdin: its job would be lost to the SDK
        waited = request.get("method") == "create_job"
        threading.Thread(target=bridge.handle, args=(request,), daemon=not waited).start()


if __name__ == "__main__":
    main()
