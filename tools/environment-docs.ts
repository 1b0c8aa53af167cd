import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { variables } from '../apps/server/src/env/env.ts'

// Writes docs/environment.md from the variables that the server reads. With --check it writes
// nothing and fails if the file is stale.
const file = fileURLToPath(new URL('../docs/environment.md', import.meta.url))

const defaultText = ({ def }: { def: object }) =>
  'defaultValue' in def ? String(def.defaultValue) : ''

const rows = [
  ['variable', 'default', 'meaning'],
  ...Object.entries(variables.shape).map(([name, variable]) => [
    `\`${name}\``,
    variable.meta()?.default ?? defaultText(variable),
    variable.meta()?.description ?? '',
  ]),
].map((cells) => cells.map((cell) => cell.replaceAll('|', '\\|')))

// Aligned columns, as the formatter writes them.
const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
const line = (cells: string[]) =>
  `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
const [head = [], ...body] = rows
const table = [head, widths.map((width) => '-'.repeat(width)), ...body].map(line)

const text = `# Environment

Every variable that the server reads. All are optional on a development machine; when others can
reach the machine, SMTP_URL and PAYMENT_GATEWAY are required. An invalid value prevents the start
with one line that names the variable.

<!-- Generated from apps/server/src/env/env.ts by \`npm run docs:generate\`. -->

${table.join('\n')}
`

if (!process.argv.includes('--check')) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
} else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  process.stderr.write('docs/environment.md is stale: run npm run docs:generate\n')
  process.exitCode = 1
}
