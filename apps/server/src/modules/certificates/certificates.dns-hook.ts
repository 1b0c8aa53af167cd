import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { minute } from '@slipway/contract/limits'
import type { Context } from '../../context.ts'
import { AcmeError } from './certificates.acme-error.ts'

const run = promisify(execFile)

/** How long the hook may take: it returns once the name servers have the record. */
const hookTimeout = 5 * minute
/** Characters of its output that are logged. */
const loggedOutput = 4_000

export type DnsRecord = { name: string; value: string }

/**
 * Runs `ACME_DNS_HOOK add|remove <name> <value>` for a TXT record. It may run twice for the same
 * record. Throws an `AcmeError` when it fails.
 */
export async function runDnsHook(
  ctx: Pick<Context, 'env' | 'log'>,
  action: 'add' | 'remove',
  { name, value }: DnsRecord,
): Promise<void> {
  const { ACME_DNS_HOOK: hook } = ctx.env
  if (hook === undefined) throw failed('ACME_DNS_HOOK is not set.')
  // The hook gets none of our own secrets.
  const { PATH, HOME, LANG } = process.env
  try {
    const { stdout, stderr } = await run(hook, [action, name, value], {
      timeout: hookTimeout,
      killSignal: 'SIGKILL',
      maxBuffer: 1_000_000,
      env: { PATH, HOME, LANG },
    })
    const output = `${stdout}${stderr}`.trim().slice(0, loggedOutput)
    ctx.log.info({ action, record: name, output }, 'the DNS hook ran')
  } catch (error) {
    const { code, signal, stdout, stderr } = error as NodeJS.ErrnoException & {
      signal?: string
      stdout?: string
      stderr?: string
    }
    const output = `${stdout ?? ''}${stderr ?? ''}`.trim().slice(0, loggedOutput)
    ctx.log.error({ err: error, action, record: name, output }, 'the DNS hook failed')
    throw failed(`The DNS hook ended with ${signal ?? code}.`)
  }
}

const failed = (detail: string) => new AcmeError('hook', { detail })
