import { describe, expect, it } from 'vitest'
import { parseDotenv } from './dotenv.ts'

const variablesOf = (text: string) => parseDotenv(text).variables

describe('a .env file', () => {
  it('has names and values, with or without export and quotes', () => {
    expect(
      variablesOf(
        '\uFEFFA=1\r\nexport B = two words \n\n  C=\n# D=4\nE="5" # five\nF=\'6 # six\'\n',
      ),
    ).toEqual({ A: '1', B: 'two words', C: '', E: '5', F: '6 # six' })
  })

  it('has comments only after a blank', () => {
    expect(variablesOf('URL=https://example.com/#top\nA=b # c\nB=# d')).toEqual({
      URL: 'https://example.com/#top',
      A: 'b',
      B: '',
    })
  })

  it('has escapes and line breaks in double quotes, and line breaks in single ones', () => {
    expect(
      variablesOf('A="a\\n\\"b\\"\\\\"\nB="-----BEGIN\nEND-----"\nC=\'x\\n\ny\'\nD=\\n'),
    ).toEqual({
      A: 'a\n"b"\\',
      B: '-----BEGIN\nEND-----',
      C: 'x\\n\ny',
      D: '\\n',
    })
  })

  it('names the lines that are no assignment', () => {
    expect(parseDotenv('A=1\nhello\nB="open\n=2\nC=3')).toEqual({
      variables: { A: '1', C: '3' },
      wrongLines: [2, 3, 4],
    })
  })

  it('keeps the last of two equal names, for any name', () => {
    const variables = variablesOf('A=1\nA=2\n__proto__=x')
    expect(Object.entries(variables)).toEqual([
      ['A', '2'],
      ['__proto__', 'x'],
    ])
  })
})
