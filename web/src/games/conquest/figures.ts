// Troops for pictures.
import type { TroopFace } from './model';

const NAMES: Record<string, string> = {
  S: 'Scout', F: 'Foot Soldier', H: 'Halberdier', A: 'Archer', M: 'Mage', K: 'Knight', C: 'Champion',
};

export function figureTroop(letter: string, health: number, full: number, more: Partial<TroopFace> = {}): TroopFace {
  return {
    letter, name: NAMES[letter] ?? letter, health, full_health: full, boost: 0, damage: 0, movement: 0, range: 0,
    cost: 0, selected: false, marks: [], ...more,
  };
}
