import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { variables } from '../apps/server/src/env.ts'

// Writes docs/environment.md from the variables that the server reads; with --check it only
// compares, and fails when the file is not what it would write.
const file = fileURLToPath(new URL('../docs/environment.md', import.meta.url))

const cell = (text: string) => text.replaceAll('|', '\\|')
const rows = Object.entries(variables).map(
  ([name, variable]) => `| \`${name}\` | ${cell(variable.default)} | ${cell(variable.meaning)} |`,
)
const text = `# Environment

Every variable the server reads; all of them are optional. A wrong value stops the start with one
line that names the variable.

<!-- Made from apps/server/src/env.ts by \`node tools/environment-docs.ts\`. -->

| variable | default | meaning |
| --- | --- | --- |
${rows.join('\n')}
`

if (!process.argv.includes('--check')) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
} else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  process.stderr.write('docs/environment.md is stale: run node tools/environment-docs.ts\n')
  process.exitCode = 1
}
