// Compiles packages/phrases/messages/{locale}/*.json into typed functions, packages/phrases/src/paraglide.
// One file a domain and language: a new module brings its own, and this finds them.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../packages/phrases/', import.meta.url))
const require = createRequire(join(root, 'package.json'))
const { compile } = await import(require.resolve('@inlang/paraglide-js'))

const domains = readdirSync(join(root, 'messages/en')).filter((name) => name.endsWith('.json'))
const project = join(root, '.cache/project.inlang')
mkdirSync(project, { recursive: true })
writeFileSync(
  join(project, 'settings.json'),
  JSON.stringify({
    baseLocale: 'en',
    locales: ['en', 'tr'],
    // The plugin's usual address is a web page; offline the compiler would "succeed" with no message.
    modules: [require.resolve('@inlang/plugin-message-format')],
    'plugin.inlang.messageFormat': {
      pathPattern: domains.map((name) => `../messages/{locale}/${name}`),
    },
  }),
)

await compile({
  project,
  outdir: join(root, 'src/paraglide'),
  // The order of the specification: the stored preference, the browser's language, English.
  strategy: ['localStorage', 'preferredLanguage', 'baseLocale'],
  localStorageKey: 'preferredLocale',
  outputStructure: 'message-modules',
  emitGitIgnore: false,
  emitPrettierIgnore: false,
  emitReadme: false,
})
