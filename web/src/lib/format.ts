// Numbers and times for people.
import type { Candidate } from '../api/model';

/** `12:03`, `1:02:03`, and tenths below ten seconds: `9.4`. */
export function clock(ms: number): string {
  const left = Math.max(0, ms);
  if (left < 10_000) return (Math.floor(left / 100) / 10).toFixed(1);
  const seconds = Math.ceil(left / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** `just now`, `5 minutes ago`, `3 days ago`. */
export function ago(time: string, now: number = Date.now()): string {
  const seconds = Math.round((now - Date.parse(time)) / 1000);
  if (Number.isNaN(seconds)) return time;
  if (seconds < 60) return 'just now';
  const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  if (seconds < 3600) return words.format(-Math.floor(seconds / 60), 'minute');
  if (seconds < 86_400) return words.format(-Math.floor(seconds / 3600), 'hour');
  return words.format(-Math.floor(seconds / 86_400), 'day');
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `3.2 M`, `870 k`, `1,200`. */
export function short(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(1)} M`;
  if (value >= 1e4) return `${Math.round(value / 1e3)} k`;
  return count(value);
}

/** `62 %` of a share. */
export function percent(share: number, digits = 0): string {
  return `${(share * 100).toFixed(digits)} %`;
}

/** `62 %`; like the server's, a chance near the ends does not pretend to be certain. */
export function chancePercent(chance: number): string {
  if (chance > 0 && chance < 0.005) return '< 1 %';
  if (chance < 1 && chance > 0.995) return '> 99 %';
  return percent(chance);
}

const BOUNDS: Record<Candidate['bound'], string> = { exact: '', estimate: '', lower: '≥ ', upper: '≤ ' };

/** `≤ 48 %`: a chance is no surer than the value that it follows from. */
export function chanceWords({ chance, bound }: Pick<Candidate, 'chance' | 'bound'>): string {
  if (chance == null) return '';
  const words = chancePercent(chance);
  const open = BOUNDS[bound] === '' || words.startsWith(bound === 'upper' ? '<' : '>');
  return open ? words : `${BOUNDS[bound]}${percent(chance)}`;
}

/** `< 1 s`, `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(seconds: number): string {
  if (seconds < 1) return '< 1 s';
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return whole % 60 === 0 ? `${whole / 60} min` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor(whole / 60) % 60} min`;
}

/** `1,234,567`. */
export function count(value: number): string {
  return value.toLocaleString('en').replace('-', '−');
}

/** `1 action`, `2,345 actions`. */
export function counted(value: number, what: string): string {
  return `${count(value)} ${what}${value === 1 ? '' : 's'}`;
}
