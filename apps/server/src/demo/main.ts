import { parseArgs } from 'node:util'
import { reasonOf, SettingError } from '../env/setting-error.ts'
import { createLog } from '../log.ts'
import { checkMachine } from '../preflight.ts'
import { demoEnvironment } from './demo.env.ts'
import { ada, grace, operator, password } from './demo.people.ts'
import { installedWordPress } from './demo.wordpress.ts'

// `npm run demo`: the service on its own data folder with an example. Its options replace the files
// of WordPress by other zips or folders: `npm run demo -- --sqlite <plugin> --wordpress <core>`.

const print = (line: string) => process.stdout.write(`${line}\n`)

/** The exit code after a signal: 128 plus its number. */
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

async function prepare() {
  const { values } = parseArgs({
    options: {
      wordpress: { type: 'string', default: installedWordPress },
      sqlite: { type: 'string' },
    },
  })
  const { source, env } = demoEnvironment(process.env)
  await checkMachine(env)
  // While filling, exits at once: the database ends with the process, and the next start fills
  // again.
  const leave = (signal: keyof typeof signals) => process.exit(signals[signal])
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, leave)
  const { prepareDemo } = await import('./demo.prepare.ts')
  const wordPress = { core: values.wordpress, sqlite: values.sqlite }
  await prepareDemo(env, createLog('warn'), { print, wordPress })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(signal, leave)
  return { source, env }
}

try {
  const { source, env } = await prepare()
  for (const [name, value] of Object.entries(source))
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  await import('../main.ts')
  print('  This is the demo, with an example in it. Sign in as')
  print('')
  print(
    `  ${ada.email}      her projects, a ticket with a new reply, three cards, an overdue invoice`,
  )
  print(`  ${grace.email}    of another team, with an invoice that was just issued`)
  print(`  ${operator.email}  support staff: npm run operator -- --url ${env.PUBLIC_URL} tickets`)
  print('')
  print(`  with the password ${password}`)
  print('')
} catch (error) {
  const isSetting = error instanceof SettingError
  process.stderr.write(
    `The demo cannot start: ${isSetting || !(error instanceof Error) ? reasonOf(error) : error.stack}\n`,
  )
  process.exit(1)
}
