// Lets node load the page's TypeScript, so that its pure modules can be tested without a build.
import { register } from 'node:module';

register('./hooks.mjs', import.meta.url);
