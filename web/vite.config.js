import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';

// The server that `npm run dev` talks to; started by hand with `warroom serve`.
const server = process.env.WARROOM_URL ?? 'http://127.0.0.1:7979';

export default defineConfig({
  plugins: [svelte()],
  build: { target: 'es2022', modulePreload: { polyfill: false } },
  server: { proxy: { '/api': { target: server, ws: true } } },
});
