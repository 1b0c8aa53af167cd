import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { second } from '@slipway/contract/limits'
import {
  deleteCurrentPersonalToken,
  getCurrentPersonalToken,
  pollDevice,
  requestDevice,
} from '@slipway/contract/personal-tokens'
import { m } from '@slipway/phrases'
import { CommandError, isApiError } from '@slipway/terminal/command-error'
import { isUnencrypted, withRetries } from '@slipway/terminal/service'
import { oneLine } from '@slipway/terminal/text'
import { readLogin, removeLogin, writeLogin } from './config.ts'
import { type CommandContext, type CommandResult, client, guest } from './context.ts'

const machineName = () => oneLine(hostname()).slice(0, 100) || 'slipway'

/** Shows a code, waits until the user confirms it in the console, and stores the token. */
export async function logIn(context: CommandContext): Promise<CommandResult> {
  const { url, locale, printStatus, loginFile } = context
  if (isUnencrypted(url)) printStatus(m.terminal_not_encrypted({ url }, { locale }))
  const login = await guest(context)(requestDevice, { body: { name: machineName() } })
  printStatus(m.cli_login_open({ url: login.verificationUriComplete }, { locale }))
  printStatus(m.cli_login_code({ code: login.userCode }, { locale }))
  const token = await waitForToken(context, login)

  const replacedLogin = await readLogin(loginFile)
  await writeLogin(loginFile, { url, token })
  // The machine's previous token is no longer needed.
  if (replacedLogin) await revoke({ ...context, ...replacedLogin }).catch(() => undefined)
  return showCurrentUser({ ...context, token })
}

async function waitForToken(
  context: CommandContext,
  { deviceCode, interval: firstInterval }: { deviceCode: string; interval: number },
): Promise<string> {
  const { locale, signal } = context
  let interval = firstInterval
  for (;;) {
    await sleep(interval * second, undefined, { signal })
    const poll = await withRetries(() => guest(context)(pollDevice, { body: { deviceCode } }), {
      signal,
    })
    if (poll.token !== null) return poll.token
    if (poll.state === 'access_denied') throw new CommandError(m.cli_login_denied({}, { locale }))
    if (poll.state === 'expired_token') throw new CommandError(m.cli_login_expired({}, { locale }))
    interval = poll.interval
  }
}

const revoke = (context: CommandContext) => client(context)(deleteCurrentPersonalToken)

/** Deletes the stored token, and revokes it at the service. */
export async function logOut(context: CommandContext): Promise<CommandResult> {
  const { locale, loginFile, signal } = context
  const stored = await readLogin(loginFile)
  await removeLogin(loginFile)
  if (stored)
    await withRetries(() => revoke({ ...context, ...stored }), { signal }).catch((error) => {
      if (!isApiError(error, 'unauthorized')) throw error
    })
  return { json: {}, lines: [m.terminal_signed_out({}, { locale })] }
}

/** Shows the user, and the access of the token. */
export async function showCurrentUser(context: CommandContext): Promise<CommandResult> {
  const { url, locale, terminal, signal } = context
  const current = await withRetries(() => client(context)(getCurrentPersonalToken), { signal })
  const { user, personalToken } = current
  return {
    json: { url, ...current },
    lines: [
      m.terminal_signed_in({ email: user.email, url }, { locale }),
      personalToken.projects === null
        ? m.cli_all_projects({}, { locale })
        : m.cli_some_projects(
            { keys: personalToken.projects.map(({ key }) => key).join(', ') },
            { locale },
          ),
      m.cli_token_expires({ time: terminal.exact(personalToken.expiresAt) }, { locale }),
    ],
  }
}
