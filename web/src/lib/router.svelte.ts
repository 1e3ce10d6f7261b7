// The address bar: pages by path, without reloading.

/** A part that is not well encoded stays as it is: the page it leads to says what is wrong. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

class Route {
  path = $state(location.pathname);
  query = $state.raw(new URLSearchParams(location.search));

  constructor() {
    addEventListener('popstate', () => this.read());
  }

  private read(): void {
    this.path = location.pathname;
    this.query = new URLSearchParams(location.search);
  }

  /** The parts of the path: `/game/7` is `['game', '7']`. */
  get parts(): string[] {
    return this.path.split('/').filter(Boolean).map(decoded);
  }

  go(address: string, replace = false): void {
    if (replace) history.replaceState(null, '', address);
    else history.pushState(null, '', address);
    this.read();
    scrollTo(0, 0);
  }

  /** Follows links inside the page; everything else is left to the browser. */
  follow = (event: MouseEvent): void => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (link.getAttribute('href')?.startsWith('#') || link.pathname.startsWith('/api')) return;
    event.preventDefault();
    this.go(link.pathname + link.search + link.hash);
  };
}

export const route = new Route();
