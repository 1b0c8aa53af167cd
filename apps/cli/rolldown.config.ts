import { readFileSync } from 'node:fs'
import { defineConfig } from 'rolldown'

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  version: string
}

// One file with all packages, so that `npx` downloads one package and nothing runs at installation.
export default defineConfig({
  cwd: import.meta.dirname,
  input: { slipway: 'src/main.ts' },
  platform: 'node',
  transform: { target: 'node20', define: { version: JSON.stringify(version) } },
  output: { dir: 'dist', cleanDir: true, banner: '#!/usr/bin/env node' },
})
