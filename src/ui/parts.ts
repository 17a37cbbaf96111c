import type * as vscode from 'vscode';
import type { Brev } from '../brev/brev.ts';
import type { InstanceGauges } from '../instances/gauges.ts';
import type { Offers } from '../instances/offers.ts';
import type { ReadinessWatch } from '../instances/readinessWatch.ts';
import type { InstanceStore } from '../instances/store.ts';
import type { JobReadings } from '../jobs/jobReadings.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { SdkPlace } from '../platforms/brevSdk/sdkInstall.ts';
import type { Session } from '../preflight/session.ts';
import type { Redactor } from '../process/redact.ts';
import type { Run } from '../process/run.ts';
import type { Shells } from '../remote/shells.ts';
import type { Outcome } from '../values/outcome.ts';
import type { Credentials } from './credentials.ts';
import type { FilesView } from './files/filesView.ts';
import type { JobPanels } from './jobPanel/jobPanels.ts';
import type { JobLogs } from './jobs/jobLogs.ts';
import type { JobProgress } from './jobs/jobProgress.ts';
import type { JobsView } from './jobs/jobsView.ts';
import type { Log } from './log.ts';
import type { PortForwards } from './portForwards.ts';
import type { SetupView } from './setup/setupView.ts';
import type { Specs } from './specs/createSpecs.ts';
import type { Terminals } from './terminals.ts';
import type { Wishes } from './wishes.ts';
import type { Plans } from './workflow/createPlans.ts';

/** What the commands and views are made of; built once by src/extension.ts. */
export interface Parts {
  readonly brev: Brev;
  readonly locateCli: () => Promise<Outcome<string>>;
  readonly session: Session;
  readonly credentials: Credentials;
  readonly store: InstanceStore;
  readonly offers: Offers;
  readonly readiness: ReadinessWatch;
  /** How busy the instances are that a job is followed on. */
  readonly gauges: InstanceGauges;
  /** The ways to the instances. */
  readonly shells: () => Promise<Shells>;
  readonly jobs: Jobs;
  /** Where the TAO SDK is, or would be installed. */
  readonly sdkPlace: () => SdkPlace;
  /** Runs programs other than the CLI. */
  readonly run: Run;
  /** The environment of programs that are run here. */
  readonly environment: () => Record<string, string>;
  /** What the jobs' logs say. */
  readonly readings: () => Promise<JobReadings>;
  readonly progress: JobProgress;
  readonly panels: () => Promise<JobPanels>;
  readonly jobsView: JobsView;
  readonly jobLogs: JobLogs;
  readonly setupView: SetupView;
  /** TAO specs, and what they are run as. */
  readonly specs: () => Promise<Specs>;
  /** The jobs of plans that run in this window: the plan says how they end, and looks after their machines. */
  readonly plannedJobs: Set<string>;
  /** Plans, and the runs of them. */
  readonly plans: () => Promise<Plans>;
  /** What is on an instance. */
  readonly files: FilesView;
  /** Ports of instances that can be reached here. */
  readonly forwards: PortForwards;
  readonly terminals: Terminals;
  readonly wishes: Wishes;
  readonly redactor: Redactor;
  readonly log: Log;
  /** Remembers choices between sessions, such as filters. */
  readonly memory: vscode.Memento;
}
