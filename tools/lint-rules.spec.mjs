import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { root } from './command.mjs'

const folder = mkdtempSync(join(tmpdir(), 'slipway-lint-'))
afterAll(() => rmSync(folder, { recursive: true }))

const billing = 'apps/server/src/modules/invoices'
const moneyAsNumber = [
  [`${billing}/call.ts`, 'Number(amount)'],
  [`${billing}/map.ts`, 'amounts.map(Number)'],
  [`${billing}/float.ts`, 'parseFloat(amount)'],
  [`${billing}/number-float.ts`, 'Number.parseFloat(amount)'],
  [`${billing}/plus.ts`, '+amount'],
  [`${billing}/big.ts`, 'amount.toNumber()'],
  [`${billing}/minus.ts`, '-amount'],
  [`${billing}/tilde.ts`, '~~amount'],
  [`${billing}/whole.ts`, 'parseInt(amount)'],
  [`${billing}/whole-of-ten.ts`, 'parseInt(amount, 10)'],
  [`${billing}/number-whole.ts`, 'Number.parseInt(amount)'],
  [`${billing}/number-whole-of-ten.ts`, 'Number.parseInt(amount, 10)'],
  ['apps/server/src/modules/payments/payments.store.ts', 'Number(amount)'],
  ['apps/server/src/engines/payments/sandbox/example.ts', 'Number(amount)'],
  ['apps/console/src/features/billing/example.tsx', 'Number(amount)'],
  ['packages/contract/src/money.ts', 'Number(amount)'],
]
const noMoneyAsNumber = [
  [`${billing}/last.ts`, 'amounts.at(-1)'],
  [`${billing}/half.ts`, 'amounts.slice(-1.5, 1_000 - 2)'],
  [`${billing}/decimals.ts`, 'amount.plus(amounts).toFixed(5)'],
  [`${billing}/example.spec.ts`, 'Number(amount)'],
  ['apps/server/src/env/env.ts', 'Number(amount)'],
]
const caseWithoutLocale = [
  ['apps/console/src/features/projects/lower.ts', 'amount.toLowerCase()'],
  ['apps/console/src/api/upper.ts', 'amount?.toUpperCase()'],
  ['packages/phrases/src/lower.ts', 'amount.toLowerCase()'],
  ['apps/console/src/ui/capitals.tsx', '<p className="text-xs uppercase" />'],
  ['apps/console/src/forms/wide.tsx', '<p className="sm:capitalize" />'],
]
const otherCase = [
  ['apps/console/src/features/projects/locale.ts', "amount.toLocaleLowerCase('tr')"],
  ['apps/console/src/features/projects/example.spec.ts', 'amount.toLowerCase()'],
  ['apps/console/src/ui/words.tsx', '<p className="text-xs">uppercase</p>'],
  ['apps/server/src/app.ts', 'amount.toLowerCase()'],
]

const byLanguageCode = [
  ['apps/console/src/shell/language/is.ts', "amount === 'tr'"],
  ['apps/server/src/modules/mail/is-not.ts', "amount !== 'en' ? 1 : 2"],
  ['apps/site/src/region.ts', "amount === 'tr-TR'"],
  ['e2e/harness/starts.ts', "amount?.startsWith('tr')"],
]
const otherComparisons = [
  ['apps/console/src/shell/language/other.ts', "amount === 'true'"],
  ['packages/phrases/src/own.ts', "amount === 'tr'"],
]

const examples = [
  ...moneyAsNumber,
  ...noMoneyAsNumber,
  ...caseWithoutLocale,
  ...otherCase,
  ...byLanguageCode,
  ...otherComparisons,
]
for (const [path = '', expression] of examples) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), `export const f = (amount, amounts) => ${expression}\n`)
}
const { plugins } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))
writeFileSync(join(folder, 'biome.json'), JSON.stringify({ plugins }))
for (const { path } of plugins) cpSync(join(root, path), join(folder, path))
const { stdout } = spawnSync(
  join(root, 'node_modules/.bin/biome'),
  ['lint', '--reporter=json', '--max-diagnostics=none', '.'],
  { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' },
)
/** @type {{ category: string, location: { path: string | { file: string } } }[]} */
const diagnostics = JSON.parse(stdout).diagnostics
const rejectedPaths = diagnostics
  .filter(({ category }) => category.startsWith('plugin'))
  .map(({ location: { path } }) => (typeof path === 'string' ? path : path.file))

describe('the linter', () => {
  it.each(moneyAsNumber)('rejects in %s a conversion of money to a number: %s', (path) => {
    expect(rejectedPaths).toContain(path)
  })

  it.each(caseWithoutLocale)('rejects in %s a case conversion without a locale: %s', (path) => {
    expect(rejectedPaths).toContain(path)
  })

  it.each(otherCase)(
    'accepts in %s a case conversion with a locale, or outside the interface: %s',
    (path) => {
      expect(rejectedPaths).not.toContain(path)
    },
  )

  it.each(noMoneyAsNumber)('accepts in %s code that converts no money: %s', (path) => {
    expect(rejectedPaths).not.toContain(path)
  })

  it.each(byLanguageCode)('rejects in %s a comparison with one language: %s', (path) => {
    expect(rejectedPaths).toContain(path)
  })

  it.each(otherComparisons)('accepts in %s a comparison with anything else: %s', (path) => {
    expect(rejectedPaths).not.toContain(path)
  })
})
