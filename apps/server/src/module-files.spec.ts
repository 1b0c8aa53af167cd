import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as moduleFiles from './module-files.ts'

const roleFile = /^[^/]+\/([^/.]+)\.(routes|jobs|events|pages|retention|sealed|metrics)\.ts$/

/** `invoices-pdf/invoices-pdf.routes.ts` -> `invoicesPdfRoutes` */
const exportName = (path: string) => {
  const [, domain, role] = roleFile.exec(path) ?? []
  return `${domain}-${role}`.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
}

it('module-files.ts lists every role file of the modules', () => {
  const paths = readdirSync(new URL('modules', import.meta.url), {
    recursive: true,
    encoding: 'utf8',
  }).map((path) => path.replaceAll('\\', '/'))
  const expected = paths.filter((path) => roleFile.test(path)).map(exportName)
  expect(Object.keys(moduleFiles).sort()).toEqual(expected.sort())
})

it('docs/architecture.md describes every module', () => {
  const architecture = readFileSync(
    new URL('../../../docs/architecture.md', import.meta.url),
    'utf8',
  )
  const [, modules = ''] = /\n## The modules of the server\n(.*?)\n## /s.exec(architecture) ?? []
  const rows = [...modules.matchAll(/^\| (`.+?) \|/gm)]
  const described = rows.flatMap(([, names = '']) => names.match(/[a-z-]+/g) ?? [])
  expect(described.sort()).toEqual(readdirSync(new URL('modules', import.meta.url)).sort())
})
