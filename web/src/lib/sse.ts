// Server-sent events out of a stream of text, as it comes: pieces may end anywhere.

export class EventReader {
  private rest = '';
  private data: string[] = [];

  /** The data of every event that `text` completes. */
  feed(text: string): string[] {
    const found: string[] = [];
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line === '') {
        if (this.data.length > 0) found.push(this.data.join('\n'));
        this.data = [];
      } else if (line.startsWith('data:')) {
        this.data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
      }
    }
    return found;
  }
}
