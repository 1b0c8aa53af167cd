import type { Client } from '@slipway/contract/client'
import { type OperatorProject, startProjectEmpty } from '@slipway/contract/operator'
import type { ProjectPower } from '@slipway/contract/projects'
import { type Locale, m } from '@slipway/phrases'
import { CommandError, isApiError } from '@slipway/terminal/command-error'
import { PromptAborted, type PromptStreams, prompt, readLines } from '@slipway/terminal/prompt'
import type { Terminal } from '@slipway/terminal/terminal'
import { oneLine, splitLines } from '@slipway/terminal/text'

async function readConfirmation(streams: PromptStreams, key: string, locale: Locale) {
  const question = m.operator_confirm_empty({ key }, { locale })
  if (streams.input.isTTY) return prompt(streams, question)
  const [line = ''] = await readLines(streams, 1)
  return line
}

/** Prompts for the key. Throws a `CommandError` for any other text. */
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

/** Starts the site of a project without its lost files. Throws a `CommandError` if they exist. */
export async function recreateEmpty(
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

const powers: Record<ProjectPower, (inputs: object, options: { locale: Locale }) => string> = {
  running: m.operator_project_running,
  stopped: m.projects_state_stopped,
  suspended: m.projects_state_suspended,
}

/** The lines about a project: its name, whether it runs, why not, and where it is. */
export function formatProject(project: OperatorProject, { locale, style }: Terminal): string[] {
  const { key, name, state, failure, power, suspension, suspensionNote, defaultUrl } = project
  const words = [powers[power]({}, { locale }), suspension, state, failure]
  return [
    style('bold', oneLine(name)),
    key,
    words.filter((word) => word !== null).join(' · '),
    defaultUrl,
    ...(suspensionNote === null ? [] : ['', ...splitLines(suspensionNote).map(oneLine)]),
  ]
}
