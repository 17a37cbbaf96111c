import type { Offer } from '../../instances/offers.ts';
import type { Clock } from '../../process/clock.ts';
import type { RemoteShell } from '../../remote/shell.ts';
import type { Catalogue } from '../../tao/catalogue/catalogue.ts';
import type { RunSpec } from '../../tao/runSpec.ts';
import type { Outcome } from '../../values/outcome.ts';
import type { Credential } from '../credentials.ts';

/** What the launch checks see of the world. */
export interface LaunchContext {
  readonly run: RunSpec;
  readonly instance: {
    readonly name: string;
    /** As the last list said; nothing remote is run on an instance that is off, since that would start it. */
    readonly on: boolean;
    /** The CLI's own word for its state. */
    readonly state: string;
  };
  /** What its type is offered as; undefined when that isn't known. */
  readonly offer: Offer | undefined;
  /** For what the model needs. */
  readonly catalogue: Catalogue;
  /** By name, those that the job would get. Values are used for asking, never told. */
  readonly credentials: ReadonlyMap<string, Credential>;
  /** For saying where a credential was found. */
  readonly envFilePath: string;
  /** Lists the instances now. */
  readonly listWorks: () => Promise<Outcome<void>>;
  /** A shell on the instance, or why there is none; asked only once the list has worked. */
  readonly shell: () => Promise<Outcome<Pick<RemoteShell, 'run'>>>;
  readonly clock: Clock;
  /** Asks S3; VS Code's own, which knows the proxy, unless a test has another. */
  readonly fetch?: typeof globalThis.fetch;
}
