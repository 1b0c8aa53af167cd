import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ask, readLines, Unanswered } from './prompt.ts'

/** A terminal where somebody types, and all that it shows. */
function terminal() {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = new PassThrough()
  const shown = async () => {
    output.end()
    return text(output)
  }
  return { input, output, shown }
}

describe('a question at the terminal', () => {
  it('shows what is typed', async () => {
    const { shown, ...dialogue } = terminal()
    const answer = ask(dialogue, 'E-mail: ')
    dialogue.input.write('ada@example.com\r')
    expect(await answer).toBe('ada@example.com')
    expect(await shown()).toContain('ada@example.com')
  })

  it('shows nothing of a secret, not even when it is mended', async () => {
    const { shown, ...dialogue } = terminal()
    const answer = ask(dialogue, 'Password: ', { secret: true })
    for (const key of ['h', 'u', 'n', 'x', '\u007f', 't', '\u001b[D', '\u001b[C', 'er2', '\r'])
      dialogue.input.write(key)
    expect(await answer).toBe('hunter2')
    expect(stripVTControlCharacters(await shown())).toBe('Password: \n')
  })

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('stays unanswered after %s', async (_, key) => {
    const { shown: _shown, ...dialogue } = terminal()
    const answer = ask(dialogue, 'Password: ', { secret: true })
    dialogue.input.write(key)
    await expect(answer).rejects.toThrow(Unanswered)
  })

  it('leaves what comes afterwards to the next question', async () => {
    const { shown: _shown, ...dialogue } = terminal()
    const first = ask(dialogue, 'E-mail: ')
    dialogue.input.write('ada@example.com\r')
    await first
    const second = ask(dialogue, 'Password: ', { secret: true })
    dialogue.input.write('hunter2\r')
    expect(await second).toBe('hunter2')
  })
})

describe('lines of an input that nobody types', () => {
  const lines = (input: string, count: number) => {
    const piped = new PassThrough()
    piped.end(input)
    return readLines({ input: piped, output: new PassThrough() }, count)
  }

  it('are read as far as they are asked for', async () => {
    expect(await lines('one\r\ntwo\nthree\n', 2)).toEqual(['one', 'two'])
    expect(await lines('one\ntwo', 2)).toEqual(['one', 'two'])
  })

  it('are fewer where it ends before', async () => {
    expect(await lines('', 2)).toEqual([])
    expect(await lines('one\n', 2)).toEqual(['one'])
  })
})
