import { readFileSync } from 'node:fs'
import { defineConfig } from 'rolldown'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  version: string
}

// Bundles all packages into one file: `npx` downloads one package and runs no install scripts.
export default defineConfig({
  cwd: import.meta.dirname,
  input: { slipway: 'src/main.ts' },
  platform: 'node',
  transform: { target: 'node20', define: { __CLI_VERSION__: JSON.stringify(version) } },
  output: { dir: 'dist', cleanDir: true, banner: '#!/usr/bin/env node' },
})
