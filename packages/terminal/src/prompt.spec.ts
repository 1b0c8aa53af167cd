import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { PromptAborted, prompt, readLines } from './prompt.ts'

/** A terminal with its input and all its output. */
function terminal() {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = new PassThrough()
  const readOutput = async () => {
    output.end()
    return text(output)
  }
  return { input, output, readOutput }
}

describe('a prompt at the terminal', () => {
  it('echoes the input', async () => {
    const { readOutput, ...streams } = terminal()
    const reply = prompt(streams, 'Email: ')
    streams.input.write('ada@example.com\r')
    expect(await reply).toBe('ada@example.com')
    expect(await readOutput()).toContain('ada@example.com')
  })

  it('does not echo a secret, even while it is edited', async () => {
    const { readOutput, ...streams } = terminal()
    const reply = prompt(streams, 'Password: ', { secret: true })
    for (const key of ['h', 'u', 'n', 'x', '\u007f', 't', '\u001b[D', '\u001b[C', 'er2', '\r'])
      streams.input.write(key)
    expect(await reply).toBe('hunter2')
    expect(stripVTControlCharacters(await readOutput())).toBe('Password: \n')
  })

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('rejects after %s', async (_, key) => {
    const { readOutput: _readOutput, ...streams } = terminal()
    const reply = prompt(streams, 'Password: ', { secret: true })
    streams.input.write(key)
    await expect(reply).rejects.toThrow(PromptAborted)
  })

  it('leaves later input to the next prompt', async () => {
    const { readOutput: _readOutput, ...streams } = terminal()
    const first = prompt(streams, 'Email: ')
    streams.input.write('ada@example.com\r')
    await first
    const second = prompt(streams, 'Password: ', { secret: true })
    streams.input.write('hunter2\r')
    expect(await second).toBe('hunter2')
  })
})

describe('lines of piped input', () => {
  const lines = (input: string, count: number) => {
    const piped = new PassThrough()
    piped.end(input)
    return readLines({ input: piped, output: new PassThrough() }, count)
  }

  it('are read up to the requested number', async () => {
    expect(await lines('one\r\ntwo\nthree\n', 2)).toEqual(['one', 'two'])
    expect(await lines('one\ntwo', 2)).toEqual(['one', 'two'])
  })

  it('are fewer if the input ends earlier', async () => {
    expect(await lines('', 2)).toEqual([])
    expect(await lines('one\n', 2)).toEqual(['one'])
  })
})
