// One game on the table: what was heard from the server and what is pointed at.
import { Play } from '../api/play.svelte';
import type { Choice, GameState } from '../api/model';
import { settings } from '../lib/settings.svelte';
import { NOTHING, next, point, squareOf, stepBack, type Pointing } from '../lib/targets';
import { tell } from '../lib/toasts.svelte';

export class Table {
  readonly play: Play;
  private version = $state(-1);
  private held = $state.raw<Pointing>(NOTHING);

  constructor(id: string) {
    this.play = new Play(id, (reason) => tell(reason, 'error'));
  }

  get state(): GameState | null {
    return this.play.state;
  }

  get choices(): Choice[] {
    return this.play.state?.scene.choices ?? [];
  }

  /** What is pointed at; what was pointed at in an earlier position counts no more. */
  get pointing(): Pointing {
    return this.version === this.play.state?.version ? this.held : NOTHING;
  }

  /** Everything that means something when pointed at now. */
  get offered(): Set<string> {
    const { pointed, pending } = this.pointing;
    const here = next(this.choices, pending ? pointed.slice(0, -1) : pointed);
    const anew = [...next(this.choices, []).keys()].filter((target) => squareOf(target) === null);
    return new Set([...here.keys(), ...anew]);
  }

  point = (target: string): void => {
    const answer = point(this.choices, this.pointing, target, (choice) => this.mustConfirm(choice));
    this.hold(answer.pointing);
    if (answer.play) this.act(answer.play);
  };

  confirm = (): void => {
    const { pending } = this.pointing;
    if (!pending) return;
    this.hold(NOTHING);
    this.act(pending);
  };

  stepBack = (): void => this.hold(stepBack(this.pointing));

  private hold(pointing: Pointing): void {
    this.version = this.play.state?.version ?? -1;
    this.held = pointing;
  }

  private mustConfirm(choice: Choice): boolean {
    if (settings.confirm === 'never') return false;
    return settings.confirm === 'always' || choice.preview != null;
  }

  private act(choice: Choice): void {
    const version = this.play.state?.version ?? 0;
    this.play.send({ type: 'play', action: choice.action, back: choice.back, version });
  }
}
