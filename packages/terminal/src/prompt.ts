import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** The streams of a prompt. */
export type PromptStreams = {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  /** Standard error: prompts must not mix with output that is piped. */
  output: NodeJS.WritableStream
}

/** The input ended without a reply, or the user pressed Ctrl-C. */
export class PromptAborted extends Error {}

/** Echoes the typed characters to the output until it is muted. */
function createEcho(output: NodeJS.WritableStream) {
  let muted = false
  const echo = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!muted) output.write(chunk)
      done()
    },
  })
  return Object.assign(echo, {
    mute() {
      muted = true
    },
  })
}

/** Prompts for one line. A secret is not echoed, and neither is its length. */
export function prompt(
  { input, output }: PromptStreams,
  question: string,
  { secret = false }: { secret?: boolean } = {},
): Promise<string> {
  const echo = createEcho(output)
  const terminal = createInterface({ input, output: echo, terminal: true, historySize: 0 })
  let completed = false
  return new Promise<string>((resolve, reject) => {
    terminal.on('SIGINT', () => terminal.close())
    terminal.on('close', () => reject(new PromptAborted()))
    terminal.question(question, (line) => {
      completed = true
      resolve(line)
    })
    if (secret) echo.mute()
  }).finally(() => {
    terminal.close()
    // The Enter key was not echoed, or not pressed.
    if (secret || !completed) output.write('\n')
  })
}

/** Reads the first `count` lines of piped input, or fewer if it ends earlier. */
export async function readLines({ input }: PromptStreams, count: number): Promise<string[]> {
  const lines: string[] = []
  const reader = createInterface({ input })
  for await (const line of reader) {
    lines.push(line)
    if (lines.length === count) break
  }
  reader.close()
  return lines
}

export async function readAll({ input }: PromptStreams): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of input) chunks.push(Buffer.from(chunk))
  return new TextDecoder().decode(Buffer.concat(chunks))
}
