import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** The streams that questions are asked on. */
export type Dialogue = {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  /** Questions go where output that is piped on does not. */
  output: NodeJS.WritableStream
}

/** Nobody answers any more: the input ended, or they pressed Ctrl-C. */
export class Unanswered extends Error {}

/** What is typed is shown on the output, unless it is muted. */
function echoing(output: NodeJS.WritableStream) {
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

/** Asks one question at the terminal. What is typed as a secret is not shown, not even its length. */
export function ask(
  { input, output }: Dialogue,
  question: string,
  { secret = false }: { secret?: boolean } = {},
): Promise<string> {
  const echo = echoing(output)
  const terminal = createInterface({ input, output: echo, terminal: true, historySize: 0 })
  let answered = false
  return new Promise<string>((resolve, reject) => {
    terminal.on('SIGINT', () => terminal.close())
    terminal.on('close', () => reject(new Unanswered()))
    terminal.question(question, (answer) => {
      answered = true
      resolve(answer)
    })
    if (secret) echo.mute()
  }).finally(() => {
    terminal.close()
    // The end of the line that was typed is not shown, or there was none.
    if (secret || !answered) output.write('\n')
  })
}

/** The first lines of an input that nobody types; fewer when it ends before. */
export async function readLines({ input }: Dialogue, count: number): Promise<string[]> {
  const lines: string[] = []
  const reader = createInterface({ input })
  for await (const line of reader) {
    lines.push(line)
    if (lines.length === count) break
  }
  reader.close()
  return lines
}

/** All that an input holds. */
export async function readAll({ input }: Dialogue): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of input) chunks.push(Buffer.from(chunk))
  return new TextDecoder().decode(Buffer.concat(chunks))
}
