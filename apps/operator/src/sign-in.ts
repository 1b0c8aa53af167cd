import { getCaptchaChallenge, solveCaptcha } from '@slipway/contract/captcha'
import type { Client } from '@slipway/contract/client'
import { lowercaseEmail } from '@slipway/contract/email'
import { listOperatorTickets } from '@slipway/contract/operator'
import { login, logout } from '@slipway/contract/sessions'
import { type Locale, m } from '@slipway/phrases'
import { CommandError, isApiError } from '@slipway/terminal/command-error'
import { PromptAborted, type PromptStreams, prompt, readLines } from '@slipway/terminal/prompt'
import { createService, isUnencrypted } from '@slipway/terminal/service'
import { readSession, removeSession, type Session, writeSession } from './session-file.ts'

/** The inputs of every command: the service, the language, the prompts and the session's file. */
export type CommandContext = {
  url: string
  locale: Locale
  /** Undefined if the command reads a text from the input, which then has no password. */
  streams: PromptStreams | undefined
  sessionFile: string
}

const captchaField = '__captcha_solution__'

/** Login attempts at a terminal, the first included. */
const maxAttempts = 3

async function promptCredentials({ streams, locale }: CommandContext) {
  if (!streams) throw new CommandError(m.operator_not_signed_in({}, { locale }))
  try {
    if (!streams.input.isTTY) {
      const [email, password] = await readLines(streams, 2)
      if (email === undefined || password === undefined) throw new PromptAborted()
      return { email, password }
    }
    return {
      email: await prompt(streams, m.operator_ask_email({}, { locale })),
      password: await prompt(streams, m.operator_ask_password({}, { locale }), { secret: true }),
    }
  } catch (error) {
    if (error instanceof PromptAborted)
      throw new CommandError(m.operator_not_signed_in({}, { locale }), { cause: error })
    throw error
  }
}

/** Logs in, with a captcha if the service requires one after wrong passwords. */
async function logIn(call: Client, credentials: { email: string; password: string }) {
  try {
    return await call(login, { body: credentials })
  } catch (error) {
    const needsCaptcha = isApiError(error, 'validation_error') && captchaField in error.fields
    if (!needsCaptcha) throw error
    const challenge = await call(getCaptchaChallenge)
    const number = solveCaptcha(challenge)
    if (number === null) throw error
    return call(login, { body: { ...credentials, [captchaField]: { ...challenge, number } } })
  }
}

/** Prompts for credentials and logs in; at a terminal again after wrong ones. */
async function logInAtPrompt(context: CommandContext, attemptsLeft: number): Promise<Session> {
  const { url, locale, streams } = context
  const credentials = await promptCredentials(context)
  const email = lowercaseEmail(credentials.email.trim())
  try {
    const { token } = await logIn(createService(url, null, locale), credentials)
    return { url, email, token }
  } catch (error) {
    const rejected = isApiError(error, 'invalid_credentials', 'validation_error')
    if (!rejected || !streams?.input.isTTY || attemptsLeft <= 1) throw error
    streams.output.write(`${m.error_invalid_credentials({}, { locale })}\n`)
    return logInAtPrompt(context, attemptsLeft - 1)
  }
}

/** Calls the service. Throws a `CommandError` if the user is not in OPERATOR_EMAILS. */
const callAsOperator = async <Result>(
  session: Session,
  locale: Locale,
  work: (call: Client) => Promise<Result>,
): Promise<Result> => {
  try {
    return await work(createService(session.url, session.token, locale))
  } catch (error) {
    if (!isApiError(error, 'forbidden')) throw error
    throw new CommandError(m.operator_no_operator({ email: session.email }, { locale }), {
      cause: error,
    })
  }
}

/** Ends a session. Ignores errors, because an unused session expires. */
const endSession = ({ url, token }: Session, locale: Locale): Promise<void> =>
  createService(url, token, locale)(logout).catch(() => undefined)

/**
 * Prompts for email and password. Stores the session once the service has confirmed that the user
 * is an operator, and ends the session that it replaces.
 */
export async function signIn(context: CommandContext): Promise<Session> {
  const { url, locale, sessionFile, streams } = context
  if (streams?.input.isTTY) streams.output.write(`${m.operator_signing_in({ url }, { locale })}\n`)
  if (streams && isUnencrypted(url))
    streams.output.write(`${m.terminal_not_encrypted({ url }, { locale })}\n`)
  const session = await logInAtPrompt(context, maxAttempts)
  try {
    await callAsOperator(session, locale, (call) =>
      call(listOperatorTickets, { query: { perPage: 1 } }),
    )
  } catch (error) {
    await endSession(session, locale)
    throw error
  }
  const replacedSession = await readSession(sessionFile)
  await writeSession(sessionFile, session)
  if (replacedSession) await endSession(replacedSession, locale)
  return session
}

/** Deletes the stored session, and ends it at the service. */
export async function signOut({ locale, sessionFile }: Omit<CommandContext, 'url'>) {
  const session = await readSession(sessionFile)
  await removeSession(sessionFile)
  if (!session) return
  try {
    await createService(session.url, session.token, locale)(logout)
  } catch (error) {
    if (!isApiError(error, 'unauthorized')) throw error
  }
}

/**
 * Runs `work` with a client of the stored session. Signs in if it is missing or has ended. A
 * session is sent only to the service that issued it.
 */
export async function withSession<Result>(
  context: CommandContext,
  work: (call: Client) => Promise<Result>,
): Promise<Result> {
  const { url, locale, sessionFile, streams } = context
  const storedSession = await readSession(sessionFile)
  if (storedSession?.url !== url) return callAsOperator(await signIn(context), locale, work)
  try {
    return await callAsOperator(storedSession, locale, work)
  } catch (error) {
    if (!isApiError(error, 'unauthorized')) throw error
    streams?.output.write(`${m.error_unauthorized({}, { locale })}\n`)
    return callAsOperator(await signIn(context), locale, work)
  }
}
