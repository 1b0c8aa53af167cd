import type { Client } from '@slipway/contract/client'
import { listOperatorTickets } from '@slipway/contract/operator'
import { login, logout } from '@slipway/contract/sessions'
import { type Locale, m } from '@slipway/phrases'
import { Failure, isRefusal } from './failure.ts'
import { ask, type Dialogue, readLines, Unanswered } from './prompt.ts'
import { createService, isOpenToReaders } from './service.ts'
import { readSession, removeSession, type Session, writeSession } from './session-file.ts'

/** What signing in needs: where, in which language, whom to ask, and where it is remembered. */
export type Surroundings = {
  url: string
  locale: Locale
  /** Undefined where the input is for something else. */
  dialogue: Dialogue | undefined
  sessionFile: string
}

/** How often somebody at a terminal may mistype. */
const tries = 3

async function askCredentials({ dialogue, locale }: Surroundings) {
  if (!dialogue) throw new Failure(m.operator_not_signed_in({}, { locale }))
  try {
    if (!dialogue.input.isTTY) {
      const [email, password] = await readLines(dialogue, 2)
      if (email === undefined || password === undefined) throw new Unanswered()
      return { email, password }
    }
    return {
      email: await ask(dialogue, m.operator_ask_email({}, { locale })),
      password: await ask(dialogue, m.operator_ask_password({}, { locale }), { secret: true }),
    }
  } catch (error) {
    if (error instanceof Unanswered)
      throw new Failure(m.operator_not_signed_in({}, { locale }), { cause: error })
    throw error
  }
}

async function newSession(around: Surroundings, left: number): Promise<Session> {
  const { url, locale, dialogue } = around
  const credentials = await askCredentials(around)
  const email = credentials.email.trim().toLowerCase()
  try {
    const { token } = await createService(url, null, locale)(login, { body: credentials })
    return { url, email, token }
  } catch (error) {
    const mistyped = isRefusal(error, 'invalid_credentials', 'validation_error')
    if (!mistyped || !dialogue?.input.isTTY || left <= 1) throw error
    dialogue.output.write(`${m.error_invalid_credentials({}, { locale })}\n`)
    return newSession(around, left - 1)
  }
}

/** What an operator may not be refused; throws a `Failure` that says what to set for somebody who is none. */
const asOperator = async <Answer>(
  session: Session,
  locale: Locale,
  work: (call: Client) => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await work(createService(session.url, session.token, locale))
  } catch (error) {
    if (!isRefusal(error, 'forbidden')) throw error
    throw new Failure(m.operator_no_operator({ email: session.email }, { locale }), {
      cause: error,
    })
  }
}

/** Ends a session that nobody needs any more, if its service can be asked to: it ends by itself, too. */
const discard = ({ url, token }: Session, locale: Locale): Promise<void> =>
  createService(url, token, locale)(logout).catch(() => undefined)

/**
 * Asks for e-mail and password and remembers the session, once it is sure that an operator has signed in;
 * ends the one that was remembered before.
 */
export async function signIn(around: Surroundings): Promise<Session> {
  const { url, locale, sessionFile, dialogue } = around
  if (dialogue?.input.isTTY)
    dialogue.output.write(`${m.operator_signing_in({ url }, { locale })}\n`)
  if (dialogue && isOpenToReaders(url))
    dialogue.output.write(`${m.operator_not_encrypted({ url }, { locale })}\n`)
  const session = await newSession(around, tries)
  try {
    await asOperator(session, locale, (call) =>
      call(listOperatorTickets, { query: { perPage: 1 } }),
    )
  } catch (error) {
    await discard(session, locale)
    throw error
  }
  const replaced = await readSession(sessionFile)
  await writeSession(sessionFile, session)
  if (replaced) await discard(replaced, locale)
  return session
}

/** Ends the remembered session, here in any case. */
export async function signOut({ locale, sessionFile }: Omit<Surroundings, 'url'>) {
  const session = await readSession(sessionFile)
  await removeSession(sessionFile)
  if (!session) return
  try {
    await createService(session.url, session.token, locale)(logout)
  } catch (error) {
    if (!isRefusal(error, 'unauthorized')) throw error
  }
}

/**
 * Does the work with the client of the remembered session, which never goes to another address than the
 * one it is of; signs in when there is none, or when it has ended.
 */
export async function signedIn<Answer>(
  around: Surroundings,
  work: (call: Client) => Promise<Answer>,
): Promise<Answer> {
  const { url, locale, sessionFile, dialogue } = around
  const remembered = await readSession(sessionFile)
  if (remembered?.url !== url) return asOperator(await signIn(around), locale, work)
  try {
    return await asOperator(remembered, locale, work)
  } catch (error) {
    if (!isRefusal(error, 'unauthorized')) throw error
    dialogue?.output.write(`${m.error_unauthorized({}, { locale })}\n`)
    return asOperator(await signIn(around), locale, work)
  }
}
