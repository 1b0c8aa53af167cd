import { describe, expect, it } from 'vitest'
import { splitSegments } from './message-segments.ts'

const linksIn = (message: string) => splitSegments(message).filter(({ href }) => href)
const addressesIn = (message: string) => linksIn(message).map(({ href }) => href)

describe('splitSegments', () => {
  it('keeps a message without links unchanged', () => {
    expect(splitSegments('Two\n\nlines')).toEqual([{ start: 0, text: 'Two\n\nlines' }])
    expect(splitSegments('')).toEqual([])
  })

  it('finds links between text', () => {
    expect(splitSegments('See https://example.com/a?b=c#d now')).toEqual([
      { start: 0, text: 'See ' },
      { start: 4, text: 'https://example.com/a?b=c#d', href: 'https://example.com/a?b=c#d' },
      { start: 31, text: ' now' },
    ])
  })

  it('returns segments that join to the original message', () => {
    const message =
      '<https://a.example>, (http://b.example/c_(d)).\nada@example.com: ok? ftp://e.example'
    expect(
      splitSegments(message)
        .map(({ text }) => text)
        .join(''),
    ).toBe(message)
  })

  it('excludes punctuation after a link', () => {
    for (const [before, after] of [
      ['', '.'],
      ['', ', and'],
      ['(', ')'],
      ['<', '>'],
      ['"', '"'],
      ['“', '”'],
    ])
      expect(addressesIn(`${before}https://example.com/page${after}`)).toEqual([
        'https://example.com/page',
      ])
  })

  it('keeps brackets that are part of a link', () => {
    expect(addressesIn('(https://example.com/Ada_(name))')).toEqual([
      'https://example.com/Ada_(name)',
    ])
  })

  it('excludes a Turkish suffix after an apostrophe', () => {
    expect(
      addressesIn("https://example.com/sayfa'da, https://example.com’dan ada@example.com'a"),
    ).toEqual(['https://example.com/sayfa', 'https://example.com/', 'mailto:ada@example.com'])
  })

  it('splits the longest messages quickly, with any content', () => {
    for (const part of [
      'a@',
      'https://',
      ')',
      '(https://a.example',
      '.',
      'a.',
      '-',
      "'a",
      'mailto:',
      '@a.',
    ]) {
      const message = part.repeat(10_000 / part.length)
      for (const text of [message, `https://example.com/${message}`, `a@${message}`])
        expect(
          splitSegments(text)
            .map((segment) => segment.text)
            .join('') === text,
        ).toBe(true)
    }
  })

  it('finds URLs and email addresses in any case and with non-ASCII letters', () => {
    expect(addressesIn('HTTP://EXAMPLE.COM/A http://örnek.example/ığdır')).toEqual([
      'http://example.com/A',
      'http://xn--rnek-4qa.example/%C4%B1%C4%9Fd%C4%B1r',
    ])
    expect(addressesIn('mailto:ada@example.com or grace@example.com')).toEqual([
      'mailto:ada@example.com',
      'mailto:grace@example.com',
    ])
  })

  it('makes no links of other schemes or words', () => {
    for (const message of [
      'javascript:alert(1)',
      'javascript://example.com/%0aalert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:msgbox(1)',
      'file:///etc/passwd',
      'ftp://example.com/file',
      '//example.com/path',
      'blob:https',
      'readme.md and main.rs on node.js',
      'version 1.2.3.4',
    ])
      expect(linksIn(message), message).toEqual([])
  })

  it('treats markup as text', () => {
    const message = '<a href="https://example.com/x">press</a><img src=x onerror=alert(1)>'
    expect(splitSegments(message)).toEqual([
      { start: 0, text: '<a href="' },
      { start: 9, text: 'https://example.com/x', href: 'https://example.com/x' },
      { start: 30, text: '">press</a><img src=x onerror=alert(1)>' },
    ])
  })

  it('never includes quotes in a link', () => {
    const [link] = linksIn('https://example.com/"onmouseover="alert(1)')
    expect(link?.href).not.toContain('"')
  })
})
