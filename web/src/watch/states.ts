// Where a run is, in a word and as a picture.
import type { RunCard, RunState } from '../api/model';
import type { IconName } from '../ui/Icon.svelte';

export const STATES: Record<RunState, { text: string; icon: IconName }> = {
  running: { text: 'Running', icon: 'play' },
  finished: { text: 'Finished', icon: 'check' },
  interrupted: { text: 'Interrupted', icon: 'pause' },
  copied: { text: 'Copied here', icon: 'share' },
};

/** Words that a search may find. */
export function matches(run: RunCard, search: string, game: string): boolean {
  if (game !== '' && run.game !== game) return false;
  const text = `${run.id} ${run.name} ${run.about} ${run.game} ${run.kind} ${STATES[run.state].text}`.toLowerCase();
  return search.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}
