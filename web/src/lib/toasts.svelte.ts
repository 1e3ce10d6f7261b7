// Short notices at the edge of the screen.

export interface Toast {
  id: number;
  text: string;
  kind: 'info' | 'error';
}

const SHOWN_MS = 5_000;
let count = 0;

export const toasts = $state<Toast[]>([]);

export function dismiss(id: number): void {
  const at = toasts.findIndex((toast) => toast.id === id);
  if (at >= 0) toasts.splice(at, 1);
}

export function tell(text: string, kind: Toast['kind'] = 'info'): void {
  const same = toasts.find((toast) => toast.text === text);
  if (same) dismiss(same.id);
  count += 1;
  const id = count;
  toasts.push({ id, text, kind });
  setTimeout(() => dismiss(id), SHOWN_MS);
}
