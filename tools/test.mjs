import { findChromium } from './chromium.mjs'
import { runTool, say, seconds, ToolError } from './command.mjs'
import { setUp } from './setup.mjs'
import { clearResults, stages } from './test-stages.mjs'

// `npm test`: the checks, the unit and API tests, the browser tests; ends at the first stage that
// fails. `npm test -- --only=unit auth` runs one stage, with arguments of its own.
await runTool(async () => {
  const only = process.argv.find((arg) => arg.startsWith('--only='))?.slice('--only='.length)
  const args = process.argv.slice(2).filter((arg) => !arg.startsWith('--only='))
  if (only && !(only in stages)) {
    throw new ToolError(`--only takes one of ${Object.keys(stages).join(', ')}.`)
  }
  if (args.length > 0 && !only) throw new ToolError('Arguments need a stage: --only=unit, say.')
  const tools = await setUp({ withConsole: only !== 'check' })
  const names = only ? [only] : Object.keys(stages)
  // Where it has to be installed, that is done while the other stages run.
  const chromium = names.includes('browser') ? findChromium() : undefined
  chromium?.catch(() => undefined)
  clearResults()

  const lines = []
  const total = { passed: 0, failed: 0 }
  let exitCode = 0
  for (const name of names) {
    say(`\n=== ${name}`)
    const started = performance.now()
    const { code, passed, failed, skipped } = await stages[name]({ ...tools, chromium }, args)
    const duration = seconds(performance.now() - started)
    lines.push(
      `${name.padEnd(8)} ${(code === 0 ? 'ok' : 'FAILED').padEnd(6)} ${duration.padStart(8)}   ` +
        `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`,
    )
    total.passed += passed
    total.failed += failed
    exitCode = code
    if (code !== 0) break
  }
  say(`\n${lines.join('\n')}\n${total.passed} passed, ${total.failed} failed`)
  return exitCode
})
