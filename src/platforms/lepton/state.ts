/** What a job's state means. A state that nobody knows is no end: it stays unknown. */
export type StateMeaning =
  | { readonly kind: 'pending'; readonly step: string }
  | { readonly kind: 'running' }
  /** On its way to an end that isn't there yet. */
  | { readonly kind: 'ending' }
  | { readonly kind: 'completed' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'stopped' }
  /** Only history is left of it, and that doesn't tell how it ended. */
  | { readonly kind: 'archived' }
  | { readonly kind: 'unknown'; readonly state: string };

/** The states of the public API (tao.md part 4). */
export function meaningOf(state: string | null | undefined): StateMeaning {
  switch (state) {
    case 'Queueing':
      return { kind: 'pending', step: 'queueing' };
    case 'Awaiting':
      return { kind: 'pending', step: 'awaiting' };
    case 'Starting':
      return { kind: 'pending', step: 'starting' };
    case 'PendingRetry':
      return { kind: 'pending', step: 'retrying' };
    case 'Running':
    case 'Restarting':
      return { kind: 'running' };
    case 'Stopping':
    case 'Terminating':
    case 'Deleting':
      return { kind: 'ending' };
    case 'Completed':
      return { kind: 'completed' };
    case 'Failed':
      return { kind: 'failed' };
    case 'Stopped':
    case 'Deleted':
      return { kind: 'stopped' };
    case 'Archived':
      return { kind: 'archived' };
    default:
      return { kind: 'unknown', state: state ?? '' };
  }
}

/** Whether nothing of the job runs any more. */
export function isOver(meaning: StateMeaning): boolean {
  switch (meaning.kind) {
    case 'completed':
    case 'failed':
    case 'stopped':
    case 'archived':
      return true;
    case 'pending':
    case 'running':
    case 'ending':
    case 'unknown':
      return false;
  }
}
