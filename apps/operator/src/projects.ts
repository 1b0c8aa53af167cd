import type { Client } from '@slipway/contract/client'
import { startProjectEmpty } from '@slipway/contract/operator'
import { type Locale, m } from '@slipway/phrases'
import { CommandError, isApiError } from '@slipway/terminal/command-error'
import { PromptAborted, type PromptStreams, prompt, readLines } from '@slipway/terminal/prompt'

async function readConfirmation(streams: PromptStreams, key: string, locale: Locale) {
  const question = m.operator_confirm_empty({ key }, { locale })
  if (streams.input.isTTY) return prompt(streams, question)
  const [line = ''] = await readLines(streams, 1)
  return line
}

/** Has the operator type the key. Throws a `CommandError` for anything else. */
export async function confirmKey(
  streams: PromptStreams,
  key: string,
  locale: Locale,
): Promise<void> {
  try {
    if ((await readConfirmation(streams, key, locale)).trim() === key) return
  } catch (error) {
    if (!(error instanceof PromptAborted)) throw error
  }
  throw new CommandError(m.operator_not_confirmed({ key }, { locale }))
}

/** Creates the site of a project again, empty. Throws a `CommandError` if its files are there. */
export async function startEmpty(
  call: Client,
  key: string,
  locale: Locale,
): Promise<{ name: string }> {
  try {
    return await call(startProjectEmpty, { params: { key } })
  } catch (error) {
    if (!isApiError(error, 'item_not_found')) throw error
    throw new CommandError(m.operator_not_lost({ key }, { locale }), { cause: error })
  }
}
