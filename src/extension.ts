import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Brev } from './brev/brev.ts';
import { DialectProbe } from './brev/dialect.ts';
import { cliEnvironment } from './brev/environment.ts';
import { locateCli } from './brev/locate.ts';
import { loginWithToken } from './brev/login.ts';
import { InstanceGauges } from './instances/gauges.ts';
import { InUse } from './instances/inUse.ts';
import { Offers } from './instances/offers.ts';
import { ReadinessWatch } from './instances/readinessWatch.ts';
import { SeenOn } from './instances/seenOn.ts';
import { InstanceStore } from './instances/store.ts';
import { JobFolders } from './jobs/jobFolder.ts';
import { JobMarks } from './jobs/jobMarks.ts';
import type { JobReadings } from './jobs/jobReadings.ts';
import { Jobs } from './jobs/jobs.ts';
import { RecordStore } from './jobs/recordStore.ts';
import type { BrevRemote } from './platforms/brev/brevRemote.ts';
import type { BrevSdk } from './platforms/brevSdk/createBrevSdk.ts';
import { pythonAt, sdkPlace } from './platforms/brevSdk/sdkPlace.ts';
import { LatePlatform } from './platforms/latePlatform.ts';
import type { Platform, PlatformId } from './platforms/platform.ts';
import { localFiles } from './preflight/localFiles.ts';
import { Session } from './preflight/session.ts';
import { systemClock } from './process/clock.ts';
import { Redactor } from './process/redact.ts';
import { createRun } from './process/run.ts';
import { registerCommands } from './ui/commands/registerCommands.ts';
import { Credentials } from './ui/credentials.ts';
import { FilesView } from './ui/files/filesView.ts';
import { RemoteFileSystem } from './ui/files/remoteFileSystem.ts';
import { REMOTE_SCHEME } from './ui/files/remoteUri.ts';
import { InstancesView } from './ui/instances/instancesView.ts';
import { watchCost } from './ui/instances/watchCost.ts';
import type { JobPanels } from './ui/jobPanel/jobPanels.ts';
import { askWhenEphemeralEnds } from './ui/jobs/ephemeralEnds.ts';
import { JobLogs } from './ui/jobs/jobLogs.ts';
import { notifyJobEnds } from './ui/jobs/jobNotifications.ts';
import { JobProgress } from './ui/jobs/jobProgress.ts';
import { JobsView } from './ui/jobs/jobsView.ts';
import { watchIdle } from './ui/jobs/watchIdle.ts';
import { Log } from './ui/log.ts';
import type { Parts } from './ui/parts.ts';
import { PortForwards } from './ui/portForwards.ts';
import { chosenPython } from './ui/pythonExtension.ts';
import { ReadinessStatus } from './ui/readinessStatus.ts';
import { resumeOnSignIn } from './ui/resumeOnSignIn.ts';
import { settings } from './ui/settings.ts';
import { recheckSetup } from './ui/setup/recheckSetup.ts';
import { SetupView } from './ui/setup/setupView.ts';
import type { Specs } from './ui/specs/createSpecs.ts';
import { whenYamlIsSeen } from './ui/specs/whenYamlIsSeen.ts';
import { Terminals } from './ui/terminals.ts';
import { Wishes } from './ui/wishes.ts';
import { hasActivePlans } from './ui/workflow/activePlans.ts';
import type { Plans } from './ui/workflow/createPlans.ts';
import { whenPlanIsSeen } from './ui/workflow/planName.ts';

/** What host tests see of the extension; nobody else gets it. */
export interface TestAccess {
  readonly parts: Parts;
  readonly view: InstancesView;
}

/** Builds the parts and registers them. No CLI process is started here: that waits until somebody looks. */
export function activate(context: vscode.ExtensionContext): TestAccess | undefined {
  const clock = systemClock;
  const redactor = new Redactor();
  const log = new Log(redactor);
  const locate = () => locateCli({ configured: settings.cliPath(), environment: process.env });
  const environment = () => cliEnvironment(process.env, settings.proxyEnvironment());
  const workingDirectory = async (): Promise<string> => {
    const folder = path.join(context.globalStorageUri.fsPath, 'empty');
    await mkdir(folder, { recursive: true });
    return folder;
  };
  const run = createRun((line) => log.debug(line), redactor);
  const credentials = new Credentials(context.secrets, redactor);
  const session = new Session({
    token: () => credentials.find('BREV_API_TOKEN'),
    login: (token, signal) => brev.execute(loginWithToken(token), signal),
    folder: path.join(context.globalStorageUri.fsPath, 'session'),
    clock,
    redactor,
    log: (line) => log.info(line),
  });
  const brev: Brev = new Brev({
    run,
    dialects: new DialectProbe(run, environment),
    session: () => session,
    locate,
    environment,
    workingDirectory,
    log: (text) => log.info(text),
  });
  const store = new InstanceStore({ brev, clock, intervals: settings.refresh });
  const offers = new Offers(brev, clock);
  const seenOn = new SeenOn(store, context.globalState);
  const gauges = new InstanceGauges(clock);
  const readiness = new ReadinessWatch({ brev, store, clock, settings: settings.readiness });
  let loaded: Promise<BrevRemote> | undefined;
  const remote = (): Promise<BrevRemote> => {
    loaded ??= import('./platforms/brev/brevRemote.ts').then((module) =>
      module.createBrevRemote({
        brev,
        store,
        run,
        environment,
        clock,
        log: (line) => log.info(line),
        onGauge: (id, gauge) => gauges.set(id, gauge),
      }),
    );
    return loaded;
  };
  const route = async (instanceId: string) => (await loaded)?.shells.route(instanceId);
  const stateDirectory = process.env.TAO_STATE_DIR ?? path.join(homedir(), '.tao');
  const folders = new JobFolders(path.join(context.globalStorageUri.fsPath, 'jobs'));
  const lepton = async (): Promise<Platform> => {
    const { LeptonPlatform } = await import('./platforms/lepton/leptonPlatform.ts');
    return new LeptonPlatform({
      clock,
      account: () => credentials.leptonAccount(),
      cursorFile: (id) => folders.cursorFile(id),
    });
  };
  const sdkFolder = path.join(context.globalStorageUri.fsPath, 'sdk');
  const place = () => sdkPlace(settings.sdkPython(), sdkFolder, chosenPython());
  let loadedSdk: Promise<BrevSdk> | undefined;
  const sdk = (): Promise<BrevSdk> => {
    loadedSdk ??= import('./platforms/brevSdk/createBrevSdk.ts').then((module) =>
      module.createBrevSdk({
        python: () => pythonAt(place()),
        locate,
        environment,
        folder: sdkFolder,
        clock,
        shell: async (target) => (await remote()).shells.shell(target),
        placement: () => credentials.placement(),
        log: (line) => log.info(line),
      }),
    );
    return loadedSdk;
  };
  const jobs = new Jobs({
    platforms: new Map<PlatformId, Platform>([
      ['brev', new LatePlatform('brev', async () => (await remote()).platform)],
      ['brev-sdk', new LatePlatform('brev-sdk', async () => (await sdk()).platform)],
      ['lepton', new LatePlatform('lepton', lepton)],
    ]),
    records: new RecordStore(path.join(stateDirectory, 'jobs'), clock, redactor),
    folders,
    clock,
    random: Math.random,
    log: (line) => log.warn(line),
  });
  let readings: Promise<JobReadings> | undefined;
  const allReadings = (): Promise<JobReadings> => {
    readings ??= import('./jobs/jobReadings.ts').then((module) => new module.JobReadings(jobs));
    return readings;
  };
  const progress = new JobProgress(jobs, allReadings);
  let loadedPanels: Promise<JobPanels> | undefined;
  const panels = (): Promise<JobPanels> => {
    loadedPanels ??= import('./ui/jobPanel/jobPanels.ts').then(
      (module) => new module.JobPanels(context.extensionUri, () => parts),
    );
    return loadedPanels;
  };
  let loadedSpecs: Promise<Specs> | undefined;
  const specs = (): Promise<Specs> => {
    loadedSpecs ??= import('./ui/specs/createSpecs.ts').then(({ createSpecs }) =>
      createSpecs({
        store,
        offers,
        memory: context.globalState,
        skillBank: process.env.TAO_SKILL_BANK_PATH,
        log,
      }),
    );
    return loadedSpecs;
  };
  let loadedPlans: Promise<Plans> | undefined;
  const plans = (): Promise<Plans> => {
    loadedPlans ??= import('./ui/workflow/createPlans.ts').then(({ createPlans }) =>
      createPlans(parts, context.extensionUri, path.join(context.globalStorageUri.fsPath, 'plans')),
    );
    return loadedPlans;
  };
  const jobLogs = new JobLogs(jobs, redactor, context.workspaceState);
  const jobsView = new JobsView(
    jobs,
    progress,
    path.join(stateDirectory, 'jobs'),
    context.globalState,
    route,
  );
  const inUse = new InUse(path.join(context.globalStorageUri.fsPath, 'idle'));
  const terminals = new Terminals({
    locateCli: locate,
    environment,
    workingDirectory,
    store,
    inUse,
    log: (line) => log.warn(line),
  });
  const files = new FilesView({
    store,
    shells: async () => (await remote()).shells,
    log: (line) => log.warn(line),
    upload: async (sources, instance, folder) => {
      const { uploadFiles } = await import('./ui/files/uploadFiles.ts');
      await uploadFiles(parts, sources, instance, folder);
    },
  });
  const remoteFiles = new RemoteFileSystem({ store, shells: async () => (await remote()).shells });
  const forwards = new PortForwards(log);
  const setupView = new SetupView({
    platform: process.platform,
    home: process.env.HOME ?? homedir(),
    environment: process.env,
    clock,
    run,
    brev,
    locate,
    files: localFiles,
    envFilePath: credentials.envFilePath,
    secrets: async (name) => context.secrets.get(name),
    tokenInUse: () => session.tokenInUse,
    leptonAccount: () => credentials.leptonAccount(),
    sdk: async () =>
      pythonAt(place()) === undefined
        ? { kind: 'absent' }
        : { kind: 'set', versions: await (await sdk()).route.versions() },
    // beside a remote host the extensions of the user's own side can't be seen
    isExtensionInstalled: (id) =>
      vscode.extensions.getExtension(id) !== undefined
        ? true
        : vscode.env.remoteName === undefined
          ? false
          : undefined,
    workspaceFolders: () => (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath),
    log: (line) => log.info(line),
  });
  const parts: Parts = {
    brev,
    locateCli: locate,
    session,
    credentials,
    store,
    offers,
    readiness,
    gauges,
    shells: async () => (await remote()).shells,
    sdkPlace: place,
    run,
    environment,
    jobs,
    readings: allReadings,
    progress,
    panels,
    jobsView,
    jobLogs,
    setupView,
    specs,
    plannedJobs: new Set(),
    plans,
    files,
    forwards,
    terminals,
    wishes: new Wishes(context.globalState),
    redactor,
    log,
    memory: context.globalState,
  };
  const view = new InstancesView({ store, offers, readiness, jobs, progress, gauges, route });
  context.subscriptions.push(
    registerCommands(parts),
    view,
    jobsView,
    setupView,
    new ReadinessStatus(readiness, store, log),
    seenOn,
    watchCost({ store, offers, seenOn }),
    notifyJobEnds(parts),
    askWhenEphemeralEnds(parts),
    watchIdle(parts, {
      marks: new JobMarks(folders),
      seenOn,
      inUse: {
        turn: (id) => inUse.turn(id),
        // a plan may still need any of them
        anywhere: async (id) => hasActivePlans(context.globalState) || inUse.anywhere(id),
      },
      idleMs: settings.idleReminderMs,
      clock,
    }),
    progress,
    whenYamlIsSeen(() => void specs()),
    { dispose: () => void loadedSpecs?.then((all) => all.dispose()) },
    whenPlanIsSeen(() => void plans()),
    { dispose: () => void loadedPlans?.then((all) => all.dispose()) },
    // panels that were open when the window was closed
    vscode.window.registerWebviewPanelSerializer('brev.plan', {
      deserializeWebviewPanel: async (panel, state) =>
        (await plans()).panels.deserializeWebviewPanel(panel, state),
    }),
    vscode.window.registerWebviewPanelSerializer('brev.job', {
      deserializeWebviewPanel: async (panel, state) => (await panels()).deserializeWebviewPanel(panel, state),
    }),
    { dispose: () => void loadedPanels?.then((all) => all.dispose()) },
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) {
        store.lookSoon();
      }
    }),
    resumeOnSignIn(store, clock, log),
    recheckSetup(store, credentials, setupView),
    credentials.onChange(() => {
      if (store.needsUser) {
        void store.refresh();
      }
    }),
    jobLogs,
    files,
    remoteFiles,
    vscode.workspace.registerFileSystemProvider(REMOTE_SCHEME, remoteFiles, {
      isReadonly: true,
      isCaseSensitive: true,
    }),
    forwards,
    terminals,
    jobs,
    { dispose: () => void loaded?.then(({ shells }) => shells.dispose()) },
    { dispose: () => void loadedSdk?.then(({ route }) => route.dispose()) },
    readiness,
    store,
    log,
  );
  // jobs of earlier sessions: reads a folder; the CLI is called only if one of them hasn't ended
  void jobs.resume();
  void jobLogs.reopen();
  if (hasActivePlans(context.globalState)) {
    void plans();
  }
  return context.extensionMode === vscode.ExtensionMode.Test ? { parts, view } : undefined;
}
